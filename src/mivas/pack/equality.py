"""The equality kinds and the compiled rules that choose among them, and the edit distance behind fuzzy names, for
those who compare values (formats.md 4)."""

from mivas.pack._equality import (
    date_time_to_minute,
    is_phone_key,
    national_digits,
    output_value,
    same_digits,
    same_json,
    same_plain,
    tolerated_edits,
    within_edits,
)
from mivas.pack._scoring import EqualityRule, TableRule

__all__ = [
    "EqualityRule",
    "TableRule",
    "date_time_to_minute",
    "is_phone_key",
    "national_digits",
    "output_value",
    "same_digits",
    "same_json",
    "same_plain",
    "tolerated_edits",
    "within_edits",
]
