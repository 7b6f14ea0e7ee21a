"""The equality kinds and the compiled rules that choose among them, for those who compare values (formats.md 4)."""

from mivas.pack._equality import (
    date_time_to_minute,
    is_phone_key,
    national_digits,
    output_value,
    same_digits,
    same_json,
    same_plain,
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
]
