"""A pack's pinned "now" and the one line of prompt that states it. Source: runtime.md 3.8."""

from __future__ import annotations

from datetime import datetime

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def parse_clock(text: str) -> datetime:
    """Read `YYYY-MM-DDTHH:MM[:SS]` as naive local wall time. Raises ValueError."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is not None or len(text) < len("2026-08-19T12:00"):
        raise ValueError("clock must be a local date and time without zone, such as 2026-08-19T12:00")
    return moment


def clock_line(moment: datetime) -> str:
    """The line every node's prompt ends with. English names whatever the machine's locale.

    >>> clock_line(datetime(2026, 8, 19, 12, 0))
    'Today is Wednesday, 19 August 2026, 12:00.'
    """
    day, month = _DAYS[moment.weekday()], _MONTHS[moment.month - 1]
    return f"Today is {day}, {moment.day} {month} {moment.year}, {moment:%H:%M}."
