"""Raw JSON arguments into values. Nothing here refuses: what can't be read is None or an empty text."""

from __future__ import annotations

import math
import re
from datetime import date, datetime

from mivas.state import Arguments

_NON_DIGIT = re.compile(r"[^0-9]+")
_WITH_YEAR = ("%B %d, %Y", "%B %d %Y", "%b %d, %Y", "%b %d %Y", "%m-%d-%Y")
_WITHOUT_YEAR = ("%B %d %Y", "%b %d %Y")


def text(value: object) -> str:
    """Text of a value, ends stripped; "" for null.

    >>> text(" KE-1 "), text(None), text(4471209)
    ('KE-1', '', '4471209')
    """
    return "" if value is None else str(value).strip()


def first_text(arguments: Arguments, *keys: str) -> str:
    """The first of the arguments that isn't blank, or ""."""
    return next((said for key in keys if (said := text(arguments.get(key)))), "")


def text_if_true(value: object) -> str:
    """Text of a value; "" for null, false, zero and everything empty.

    >>> text_if_true(399.99), text_if_true(0), text_if_true(" sms ")
    ('399.99', '', 'sms')
    """
    return text(value) if value else ""


def digits(value: object) -> str:
    """Digits of a value's text.

    >>> digits("541-555-0188"), digits(None)
    ('5415550188', '')
    """
    return _NON_DIGIT.sub("", text(value))


def words(value: str, longer_than: int) -> list[str]:
    """Runs of letters and digits with more characters than that."""
    return [word for word in re.findall(r"[^\W_]+", value) if len(word) > longer_than]


def number(value: object) -> float | None:
    """A finite number, or a text that spells one; None for anything else.

    >>> number("479.99"), number(349), number("$349"), number("nan"), number(True)
    (479.99, 349.0, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    try:
        read = float(value)
    except (ValueError, OverflowError):
        return None
    return read if math.isfinite(read * 100) else None  # its cents are a number too


def cents(amount: float) -> int:
    """A dollar amount in cents, rounded to the nearest; a half goes to the even one.

    >>> cents(479.99), cents(0.125), cents(0.375)
    (47999, 12, 38)
    """
    return round(amount * 100)


def day(value: object, default_year: int) -> date | None:
    """A calendar day: ISO date or date-time, month name with day and perhaps a year, or month-day-year in figures.

    Without a year, `default_year` counts. None for anything else, "August 18th" and "tomorrow" included.

    >>> day("2026-08-18T09:00", 2026) == day("Aug 18", 2026) == day("8/18/2026", 2026) == date(2026, 8, 18)
    True
    """
    said = text(value).replace("/", "-")
    try:
        return datetime.fromisoformat(said).date()
    except ValueError:
        pass
    for form in _WITH_YEAR:
        if (found := _parsed(said, form)) is not None:
            return found
    # The year is added before parsing: without it 29 February would be read in the year 1900.
    for form in _WITHOUT_YEAR:
        if (found := _parsed(f"{said} {default_year}", form)) is not None:
            return found
    return None


def _parsed(said: str, form: str) -> date | None:
    try:
        return datetime.strptime(said, form).date()  # noqa: DTZ007 - a calendar day has no zone
    except ValueError:
        return None
