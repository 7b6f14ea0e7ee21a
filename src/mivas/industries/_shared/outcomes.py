"""What every handler returns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from mivas.industries._shared.speech import listed
from mivas.state import Refusal

Outcome: TypeAlias = dict[str, object] | Refusal

INVALID_ARGUMENTS = "INVALID_ARGUMENTS"
"""Code of a call whose arguments can't be used (runtime.md 3.6)."""


def still_needed(keys: Iterable[str]) -> Refusal:
    """The refusal that names required arguments which weren't given."""
    return Refusal(INVALID_ARGUMENTS, f"I still need the {listed(keys, last='and')} for that.")
