"""What every handler returns."""

from __future__ import annotations

from typing import TypeAlias

from mivas.state import Refusal

Outcome: TypeAlias = dict[str, object] | Refusal

INVALID_ARGUMENTS = "INVALID_ARGUMENTS"
"""Code of a call whose arguments can't be used (runtime.md 3.6)."""
