"""Refusals that more than one desk gives. The texts are meant for the caller's ear."""

from __future__ import annotations

from collections.abc import Iterable

from mivas.industries._shared.outcomes import INVALID_ARGUMENTS, still_needed
from mivas.industries._shared.speech import listed
from mivas.industries.healthcare.handlers._arguments import is_empty
from mivas.state import Arguments, Refusal

UNEXPECTED = Refusal(
    INVALID_ARGUMENTS,
    "Sorry, that did not go through just now. I can try it again, or have someone call you back.",
)

NOT_VERIFIED = Refusal(
    "NOT_VERIFIED", "I still have to confirm who I am speaking with before I can open anything on the chart."
)


def missing(arguments: Arguments, *required: str) -> Refusal | None:
    """The refusal that names required arguments which aren't given, or None when all are."""
    absent = [key for key in required if is_empty(arguments.get(key))]
    return still_needed(absent) if absent else None


def unknown_choice(error_code: str, what: str, allowed: Iterable[str]) -> Refusal:
    """The refusal of a value outside a closed list, naming the list in order of the alphabet."""
    return Refusal(error_code, f"I do not have that {what}. It can be {listed(sorted(allowed))}.")


def unknown_location(value: object) -> Refusal:
    """The refusal of a value that names none of the offices."""
    return Refusal("UNKNOWN_LOCATION", f"I do not find an office called {value}. Which office would you like?")
