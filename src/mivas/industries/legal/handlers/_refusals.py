"""Refusals that more than one desk gives. The texts are meant for the caller's ear."""

from __future__ import annotations

from mivas.industries._shared.outcomes import INVALID_ARGUMENTS, still_needed
from mivas.state import Arguments, Refusal

BAD_REQUEST = "HTTP_400"
NOT_FOUND = "HTTP_404"
SPENT = "HTTP_409"

UNEXPECTED = Refusal(INVALID_ARGUMENTS, "Sorry, that did not go through. Let me check the details with you once more.")

NO_CALLER = Refusal(
    BAD_REQUEST, "Before I do that, may I have your full name and the best ten digit number to reach you?"
)

UNKNOWN_AREA = Refusal(NOT_FOUND, "I did not catch what kind of case this is. What happened, in one sentence?")


def absent(arguments: Arguments, *required: str) -> Refusal | None:
    """The refusal that names required arguments whose key isn't there, or None. A null is there."""
    gone = [key for key in required if key not in arguments]
    return still_needed(gone) if gone else None


def missing(arguments: Arguments, *required: str) -> Refusal | None:
    """The refusal that names required arguments that aren't there or null, or None. A blank text is there."""
    gone = [key for key in required if arguments.get(key) is None]
    return still_needed(gone) if gone else None
