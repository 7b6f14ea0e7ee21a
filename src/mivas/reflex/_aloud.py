"""Values as they are said: words only, no figures, no abbreviations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_SHORT_DAYS = {name[:3]: name for name in _DAYS}
_HOUR = re.compile(r"\b(\d{1,2})(?::(\d{2}))? ?([ap])m\b")
_RANGE = re.compile(r"(?<=[a-z])-(?=[A-Z0-9])|(?<=[ap]m)-")
_ORDINAL = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)\b")
_CODE = re.compile(r"\b\d+[A-Z]\b")
_NUMBER = re.compile(r"\d+")


def number(value: int) -> str:
    """A whole number below a million.

    >>> number(0), number(112), number(1250)
    ('zero', 'one hundred twelve', 'one thousand two hundred fifty')
    """
    if value < 20:
        return _ONES[value]
    if value < 100:
        return _TENS[value // 10] + (f"-{_ONES[value % 10]}" if value % 10 else "")
    size, name = (100, "hundred") if value < 1000 else (1000, "thousand")
    return f"{number(value // size)} {name}" + (f" {number(value % size)}" if value % size else "")


def ordinal(value: int) -> str:
    """A whole number below a hundred as a place in a row.

    >>> ordinal(2), ordinal(20), ordinal(31)
    ('second', 'twentieth', 'thirty-first')
    """
    head, dash, last = number(value).rpartition("-")
    ending = _ORDINALS.get(last) or (last.removesuffix("y") + "ieth" if last.endswith("y") else f"{last}th")
    return head + dash + ending


def money(cents: int) -> str:
    """US cents.

    >>> money(12500), money(105)
    ('one hundred twenty-five dollars', 'one dollar and five cents')
    """
    dollars, odd = divmod(cents, 100)
    parts = [f"{number(dollars)} dollar{'' if dollars == 1 else 's'}"] if dollars or not odd else []
    parts += [f"{number(odd)} cent{'' if odd == 1 else 's'}"] if odd else []
    return " and ".join(parts)


def year(value: int) -> str:
    """A year as people say it.

    >>> year(1985), year(2004), year(2026)
    ('nineteen eighty-five', 'two thousand four', 'twenty twenty-six')
    """
    century, rest = divmod(value, 100)
    if century == 20 and rest < 10:
        return number(value)
    return f"{number(century)} {_second_half(rest)}"


def _second_half(rest: int) -> str:
    """The last two digits of a year or a house number."""
    return "hundred" if not rest else f"oh {number(rest)}" if rest < 10 else number(rest)


def day(value: str) -> str:
    """An ISO date with its year: "April twelfth, nineteen ninety"."""
    when = date.fromisoformat(value[:10])
    return f"{_MONTHS[when.month - 1]} {ordinal(when.day)}, {year(when.year)}"


def weekday(value: str) -> str:
    """An ISO date or time by its weekday: "Thursday, August twentieth"."""
    when = date.fromisoformat(value[:10])
    return f"{_DAYS[when.weekday()]}, {_MONTHS[when.month - 1]} {ordinal(when.day)}"


def clock(value: str) -> str:
    """The time of day of an ISO time: "ten in the morning", "two thirty in the afternoon"."""
    when = datetime.fromisoformat(value)
    part = "morning" if when.hour < 12 else "afternoon" if when.hour < 18 else "evening"
    return f"{_hour(when.hour, when.minute)} in the {part}"


def _hour(hour: int, minute: int) -> str:
    minutes = "" if not minute else f" oh {number(minute)}" if minute < 10 else f" {number(minute)}"
    return number(hour % 12 or 12) + minutes


def characters(value: str) -> str:
    """A code, one character at a time: "W, four, four"."""
    return ", ".join(number(int(one)) if one.isdecimal() else one.upper() for one in value if one.isalnum())


def telephone(value: str) -> str:
    """A North American number with or without +1, digit by digit in groups."""
    digits = re.sub(r"\D", "", value)[-10:]
    groups: Sequence[str] = (digits[:3], digits[3:6], digits[6:])
    return ", ".join(" ".join(number(int(one)) for one in group) for group in groups if group)


def text(value: str) -> str:
    """A written line made speakable: figures, hours and days in words.

    >>> text("Mon-Fri 8am-5pm, Suite 2B")
    'Monday to Friday eight in the morning to five in the afternoon, Suite two B'
    """
    said = _RANGE.sub(" to ", value)
    said = re.sub(r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b", lambda found: _SHORT_DAYS[found[1]], said)
    said = _HOUR.sub(_half_day, said)
    said = _ORDINAL.sub(lambda found: ordinal(int(found[1])), said)
    said = _CODE.sub(lambda found: f"{_figures(found[0][:-1])} {found[0][-1]}", said)
    return _NUMBER.sub(lambda found: _figures(found[0]), said)


def _half_day(found: re.Match[str]) -> str:
    hour = int(found[1]) % 12 + (12 if found[3] == "p" else 0)
    part = "morning" if hour < 12 else "afternoon" if hour < 18 else "evening"
    return f"{_hour(hour, int(found[2] or 0))} in the {part}"


def _figures(digits: str) -> str:
    """Short numbers as a number, house numbers in two parts, longer ones digit by digit."""
    if len(digits) <= 2:
        return number(int(digits))
    if len(digits) == 3 and not digits.startswith("0"):
        return f"{number(int(digits[0]))} {_second_half(int(digits[1:]))}"
    if len(digits) == 4 and digits.endswith("00"):
        return f"{number(int(digits[:2]))} hundred"
    return " ".join(number(int(one)) for one in digits)
