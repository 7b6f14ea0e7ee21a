"""Refusals that more than one desk gives. The texts are meant for the caller's ear."""

from __future__ import annotations

from mivas.industries._shared.outcomes import INVALID_ARGUMENTS
from mivas.state import Refusal

UNEXPECTED = Refusal(INVALID_ARGUMENTS, "Sorry, that did not go through. I can try it once more, or bring in a person.")
INVALID_DATE = Refusal("INVALID_DATE", "I did not get that day. Could you say the month and the day for me?")
