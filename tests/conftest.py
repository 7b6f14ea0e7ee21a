"""For all tests: hypothesis judges what comes out, never how long it took."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("mivas", deadline=None)
settings.load_profile("mivas")
