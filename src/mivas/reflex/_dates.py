"""Calendar dates in spoken form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from mivas.reflex._words import Word, alike

_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_SHORT = {name[:3]: at for at, name in enumerate(_MONTHS, start=1)} | {"sept": 9}


@dataclass(frozen=True, slots=True)
class SpokenDay:
    """A day as far as it was said. `span` counts words, end excluded."""

    month: int
    day: int
    year: int | None
    span: tuple[int, int]

    def on(self, year: int) -> date | None:
        """The date in that year, or None when the calendar hasn't got it."""
        try:
            return date(year, self.month, self.day)
        except ValueError:
            return None


def days_in(words: Sequence[Word]) -> list[SpokenDay]:
    """Every date named, in order: "May the third, nineteen eighty", "third of May 1980", "5/3/80", "1980-05-03"."""
    found: list[SpokenDay] = []
    at = 0
    while at < len(words):
        day = _month_first(words, at) or _day_first(words, at) or _figures(words, at)
        if day is not None:
            found.append(day)
        at = day.span[1] if day is not None else at + 1
    return found


def year_in(words: Sequence[Word]) -> int | None:
    """A year said by itself, with its century: "nineteen eighty-one", "two thousand twenty-six"."""
    for at in range(len(words)):
        year, _ = _year(words, at)
        if year is not None and year >= 1000:
            return year
    return None


def century_of(short: int, latest: int) -> int:
    """The last year not after `latest` that ends in these two digits.

    >>> century_of(81, 2026), century_of(16, 2026)
    (1981, 2016)
    """
    year = latest - latest % 100 + short
    return year if year <= latest else year - 100


def _month_first(words: Sequence[Word], at: int) -> SpokenDay | None:
    month = _month(words, at)
    if month is None:
        return None
    day_at = at + 2 if _text(words, at + 1) == "the" else at + 1
    day = _small(words, day_at)
    return None if day is None else _with_year(words, month, day, at, day_at + 1)


def _day_first(words: Sequence[Word], at: int) -> SpokenDay | None:
    day = _small(words, at)
    if day is None:
        return None
    month_at = at + 2 if _text(words, at + 1) == "of" else at + 1
    month = _month(words, month_at)
    return None if month is None else _with_year(words, month, day, at, month_at + 1)


def _figures(words: Sequence[Word], at: int) -> SpokenDay | None:
    """Month, day, year in figures, or a form's year-month-day. Longer rows of figures are no date."""
    row: list[str] = []
    for word in words[at:]:
        if word.kind != "number":
            break
        row.append(word.text)
    if (at and words[at - 1].kind == "number") or not 3 <= len(row) <= 5:
        return None
    if len(row[0]) == 4 and len(row) == 3:
        year, month, day = (int(part) for part in row)
        return _valid(month, day, year, (at, at + 3))
    year_or_none, end = _year(words, at + 2)
    if year_or_none is None or end != at + len(row) or max(len(row[0]), len(row[1])) > 2:
        return None
    return _valid(int(row[0]), int(row[1]), year_or_none, (at, end))


def _valid(month: int, day: int, year: int | None, span: tuple[int, int]) -> SpokenDay | None:
    return SpokenDay(month, day, year, span) if 1 <= month <= 12 and 1 <= day <= 31 else None


def _with_year(words: Sequence[Word], month: int, day: int, start: int, after: int) -> SpokenDay | None:
    after += _text(words, after) in ("of", "in", "and") and _year(words, after + 1)[0] is not None
    year, end = _year(words, after)
    return _valid(month, day, year, (start, end))


def _year(words: Sequence[Word], at: int) -> tuple[int | None, int]:
    """Year from that word on, and the word after it; two digits stay two digits."""
    numbers = list(_numbers(words, at))
    if not numbers:
        return None, at
    first, second = numbers[0], numbers[1] if len(numbers) > 1 else ""
    if len(first) == 4 and first[:2] in ("19", "20"):
        return int(first), at + 1
    if first in ("19", "20") and len(second) == 2:
        return int(first + second), at + 2
    if first in ("19", "20") and second == "0" and len(numbers) > 2 and len(numbers[2]) == 1:
        return int(first + "0" + numbers[2]), at + 3
    if len(first) == 2:
        return int(first), at + 1
    return None, at


def _numbers(words: Sequence[Word], at: int) -> Iterator[str]:
    for word in words[at : at + 3]:
        if word.kind != "number":
            return
        yield word.text


def _small(words: Sequence[Word], at: int) -> int | None:
    if not 0 <= at < len(words) or words[at].kind not in ("ordinal", "number") or len(words[at].text) > 2:
        return None
    number = int(words[at].text)
    return number if 1 <= number <= 31 else None


def _month(words: Sequence[Word], at: int) -> int | None:
    text = _text(words, at)
    if text in _SHORT:
        return _SHORT[text]
    return next((month for month, name in enumerate(_MONTHS, start=1) if alike(text, name)), None)


def _text(words: Sequence[Word], at: int) -> str:
    return words[at].text if 0 <= at < len(words) and words[at].kind == "word" else ""
