"""Money and days as texts of this pack show them; an agent says them in words."""

from __future__ import annotations

from datetime import date


def dollars(cents: int) -> str:
    """An amount of zero or more.

    >>> dollars(105499), dollars(0)
    ('$1,054.99', '$0.00')
    """
    return f"${cents // 100:,}.{cents % 100:02d}"


def spoken_day(day: date) -> str:
    """Month, day and year.

    >>> spoken_day(date(2026, 8, 3))
    'August 3, 2026'
    """
    return f"{day:%B} {day.day}, {day.year}"


def days(count: int) -> str:
    """A number of days.

    >>> days(1), days(14)
    ('1 day', '14 days')
    """
    return f"{count} day" + ("" if count == 1 else "s")
