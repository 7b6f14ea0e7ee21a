"""Raw JSON arguments into values. Agents see a closed schema; nothing here relies on it.

Whatever can't be read raises Unreadable, which the state service answers as `INVALID_ARGUMENTS`.
"""

from __future__ import annotations

import re
from datetime import datetime

from mivas.state import Arguments, Unreadable

_MOMENT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[T ]([0-9]{2}:[0-9]{2})(?::[0-5][0-9](?:\.[0-9]+)?)?(?:[+-](?:[01][0-9]|2[0-3]):?[0-5][0-9])?)?Z?"
)
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]+")


def is_empty(value: object) -> bool:
    """Whether an argument counts as not given: null or the empty string.

    >>> is_empty(None), is_empty(""), is_empty(" "), is_empty([]), is_empty(0), is_empty(False)
    (True, True, False, False, False, False)
    """
    return value is None or value == ""


def given(arguments: Arguments, key: str) -> object:
    """The argument, or None when it counts as not given."""
    value = arguments.get(key)
    return None if is_empty(value) else value


def trimmed(value: object) -> str:
    """Text of a value, ends stripped; "" for null."""
    return "" if value is None else str(value).strip()


def slug(value: object) -> str:
    """Trimmed and lower-cased text of a value."""
    return trimmed(value).lower()


def whole_number(value: object) -> int:
    """A JSON integer, or digits in a string. Raises Unreadable for anything else, true and false too.

    >>> whole_number("12"), whole_number(12), whole_number(12.0)
    (12, 12, 12)
    """
    if isinstance(value, str) and _WHOLE_NUMBER.fullmatch(value.strip()):
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise Unreadable(f"not a whole number: {value!r}")


def moment(value: object) -> datetime:
    """Local time to the minute; a date alone means midnight. Seconds and zone are dropped, not converted.

    Raises Unreadable: no text, or no such ISO date or date-time.
    >>> moment(" 2026-08-24T09:00:30+02:00 ").isoformat(), moment("2026-08-24").isoformat()
    ('2026-08-24T09:00:00', '2026-08-24T00:00:00')
    """
    if not isinstance(value, str):
        raise Unreadable(f"not a text: {value!r}")
    found = _MOMENT.fullmatch(value.strip())
    if found is None:
        raise Unreadable(f"not an ISO date or date-time: {value!r}")
    date, time = found.groups(default="00:00")
    try:
        return datetime.fromisoformat(f"{date}T{time}")
    except ValueError:
        raise Unreadable(f"no such date or time: {value!r}") from None


def moment_or_none(arguments: Arguments, key: str) -> datetime | None:
    """An optional moment, None when it isn't given. Raises like `moment`."""
    value = given(arguments, key)
    return None if value is None else moment(value)


def minute_form(value: datetime) -> str:
    """`YYYY-MM-DDTHH:MM`, the form of every start and end the tools write."""
    return value.isoformat(timespec="minutes")
