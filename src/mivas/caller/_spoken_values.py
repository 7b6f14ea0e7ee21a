"""Values named in speech: dates, times, digits, spelled words and e-mail addresses, read from spoken items.

Pure reading: says what was named, and of which kind; whether that agrees with a fact is `_hearing_facts`'s business.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mivas.caller._hearing_words import word_set
from mivas.caller._spoken_items import Item

_MONTHS = {
    "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9,
    "october": 10, "november": 11, "december": 12,
}  # fmt: skip
_DATE = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})")
_ISO_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})")
_HALF_DAY = frozenset({"a.m", "p.m", "am", "pm", "o'clock", "oclock"})
_SPELLED = 4
"""So many letters in a row are a word spelled, and figures after them something else."""
_NOT_IN_A_NAME = word_set("is it that address email your the at to on under sent have")


@dataclass(frozen=True, slots=True)
class Day:
    """A date as far as it was named; `year` may be the last two digits."""

    month: int | None
    day: int
    year: int | None = None

    def agrees(self, other: Day) -> bool:
        """Whether all that both name is the same."""
        months = self.month in (None, other.month) or other.month is None
        years = self.year is None or other.year is None or self.year % 100 == other.year % 100
        full = self.year is None or other.year is None or min(self.year, other.year) < 100 or self.year == other.year
        return months and years and full and self.day == other.day


@dataclass(frozen=True, slots=True)
class Span:
    """Where something was named: items from `start` up to, without, `end`."""

    start: int
    end: int


def days(found: Sequence[Item]) -> list[tuple[Span, Day]]:
    """Dates named with a month, an ordinal or slashes. Bare figures ("twelve one seventy-nine") are `figure_days`."""
    named = []
    at = 0
    while at < len(found):
        read = _day_at(found, at)
        if read:
            named.append((Span(at, read[1]), read[0]))
            at = read[1]
        else:
            at += 1
    return named


def written_day(text: str) -> Day | None:
    """A date written as a form holds it, month first or ISO.

    >>> written_day("07/19/1958"), written_day("1985-11-03"), written_day("7185550142")
    (Day(month=7, day=19, year=1958), Day(month=11, day=3, year=1985), None)
    """
    iso = _ISO_DATE.fullmatch(text.strip())
    if iso:
        return _day(iso[2], iso[3], iso[1])
    written = _DATE.fullmatch(text.strip())
    return _day(written[1], written[2], written[3]) if written else None


def figure_days(figures: Sequence[str]) -> list[Day]:
    """Readings of bare figures as month, day and year: `["12", "01", "19", "79"]`."""
    if not all(figure.isdecimal() for figure in figures):
        return []
    plain = [figure for index, figure in enumerate(figures) if figure != "0" or index + 1 == len(figures)]
    if len(plain) == 4 and len(plain[2]) == 2 and len(plain[3]) == 2:
        plain = [*plain[:2], plain[2] + plain[3]]
    read = _day(*plain) if len(plain) == 3 and len(plain[2]) in (2, 4) else None
    return [read] if read else []


def _day(month: str, day: str, year: str | None) -> Day | None:
    numbers = int(month), int(day), int(year) if year else None
    return Day(*numbers) if 1 <= numbers[0] <= 12 and 1 <= numbers[1] <= 31 else None


def _day_at(found: Sequence[Item], at: int) -> tuple[Day, int] | None:
    item = found[at]
    written = written_day(item.value) if item.kind == "number" else None
    if written:
        return written, at + 1
    following = _value(found, at + 1)
    if item.value in _MONTHS and item.kind == "word":
        after = at + 2 if following == "the" else at + 1
        day = _small(found, after)
        if day:
            year, end = _year(found, after + 1)
            return Day(_MONTHS[item.value], day, year), end
    if item.kind != "ordinal" or not 1 <= int(item.value[:3]) <= 31:
        return None
    month_at = at + 2 if following == "of" else at + 1
    month = _MONTHS.get(_value(found, month_at))
    if month:
        year, end = _year(found, month_at + 1)
        return Day(month, int(item.value), year), end
    return (Day(None, int(item.value)), at + 1) if _value(found, at - 1) == "the" else None


def _small(found: Sequence[Item], at: int) -> int | None:
    if at >= len(found) or found[at].kind not in ("ordinal", "number") or not found[at].value.isdecimal():
        return None
    number = int(found[at].value[:4])
    return number if 1 <= number <= 31 else None


def _year(found: Sequence[Item], at: int) -> tuple[int | None, int]:
    at += _value(found, at) in ("of", "in") and bool(_figure(found, at + 1))
    first, second = (_figure(found, at), _figure(found, at + 1))
    if len(first) == 4 and first[:2] in ("19", "20"):
        return int(first), at + 1
    if first in ("19", "20") and len(second) == 2:
        return int(first + second), at + 2
    if len(first) == 2 and int(first) > 31:
        return int(first), at + 1
    return None, at


def _figure(found: Sequence[Item], at: int) -> str:
    is_figure = 0 <= at < len(found) and found[at].kind == "number" and found[at].value.isdecimal()
    return found[at].value if is_figure else ""


def _value(found: Sequence[Item], at: int) -> str:
    return found[at].value if 0 <= at < len(found) else ""


def times(found: Sequence[Item]) -> list[tuple[Span, tuple[int, int]]]:
    """Times of day on a twelve hour clock, as (hour 0-11, minute), where words or form show that a time is meant."""
    named = []
    for at, item in enumerate(found):
        following = _value(found, at + 1)
        clock = _CLOCK.fullmatch(item.value)
        figure, then = _figure(found, at), _figure(found, at + 2)
        minutes = {"half": 30, "quarter": 15}.get(item.value) or (int(figure[:3]) if figure else None)
        if clock:
            named.append((Span(at, at + 1), (int(clock[1]) % 12, int(clock[2]))))
        elif minutes is not None and following in ("past", "after") and then:
            named.append((Span(at, at + 3), (int(then[:3]) % 12, minutes)))
        elif minutes is not None and following in ("to", "before", "till") and then and minutes < 60:
            named.append((Span(at, at + 3), ((int(then[:3]) - 1) % 12, 60 - minutes)))
        elif figure and len(figure) <= 2 and int(figure) <= 24 and _value(found, at - 1) not in ("past", "to", "after"):
            named.extend(_hour_at(found, at, int(figure)))
    return named


def _hour_at(found: Sequence[Item], at: int, hour: int) -> list[tuple[Span, tuple[int, int]]]:
    if _figure(found, at - 1) not in ("", "0"):
        return []
    minute = _figure(found, at + 1)
    if len(minute) == 2 and int(minute) < 60 and not _figure(found, at + 2):
        return [(Span(at, at + 2), (hour % 12, int(minute)))]
    return [(Span(at, at + 1), (hour % 12, 0))] if _value(found, at + 1) in _HALF_DAY else []


def runs(found: Sequence[Item]) -> list[tuple[Span, str]]:
    """Figures and letters said in a row, joined: `w441902`, `7185550142`, `whitcomb`. Ordinals don't belong."""
    named = []
    start = None
    for at, item in enumerate([*found, Item("word", "")]):
        inside = item.kind in ("number", "letter")
        if inside and start is None:
            start = at
        letters = sum(one.kind == "letter" for one in found[start:at]) if start is not None else 0
        is_spelled = letters >= _SPELLED and start is not None and letters == at - start and item.kind == "number"
        if start is not None and (not inside or is_spelled):
            joined = "".join(re.sub(r"[^a-z0-9]", "", one.value) for one in found[start:at])
            named.append((Span(start, at), joined))
            start = at if inside else None
    return named


def emails(found: Sequence[Item]) -> list[tuple[Span, str]]:
    """Addresses with a sign or said ("s kearney at mail dot example"), the name part possibly with words before it."""
    named = []
    for at, item in enumerate(found):
        if "@" in item.value:
            named.append((Span(at, at + 1), item.value))
        elif item.value == "at" and (domain := _domain(found, at + 1)):
            start = at
            while start > 0 and _value(found, start - 1) not in _NOT_IN_A_NAME and at - start < 6:
                start -= 1
            name = "".join("." if one.value == "dot" else one.value for one in found[start:at])
            if name:
                named.append((Span(start, at + domain.count(".") * 2 + 2), f"{name}@{domain}"))
    return named


def _domain(found: Sequence[Item], at: int) -> str:
    parts = [_value(found, at)]
    while parts[-1] and _value(found, at + 1) == "dot" and _value(found, at + 2):
        parts.append(_value(found, at + 2))
        at += 2
    return ".".join(parts) if len(parts) > 1 or "." in parts[0] else ""
