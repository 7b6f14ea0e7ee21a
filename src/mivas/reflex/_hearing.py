"""A turn as the agent hears it: values, intents, yes or no."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from mivas.reflex._choices import SURE, Match, named_options
from mivas.reflex._dates import SpokenDay, century_of, days_in, year_in
from mivas.reflex._names import name_in
from mivas.reflex._phrases import (
    END,
    PAUSE,
    Polarity,
    cannot_say,
    intents_in,
    polarity_of,
    takes_leave,
    wants_repetition,
)
from mivas.reflex._table import Option, Slot, Table
from mivas.reflex._words import Word, words_of

_NATIONAL = 10
_CUE_REACH = 6
"""So many words after its cue a value may begin."""
_Span = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What one turn said."""

    is_silence: bool = False
    values: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Slot -> values in order of speech, as tools are sent them."""
    doubtful: Mapping[str, Option] = field(default_factory=dict)
    """Slot -> an option that it may have been."""
    undated: Mapping[str, SpokenDay] = field(default_factory=dict)
    """Slot -> a day whose year wasn't said."""
    intents: tuple[str, ...] = ()
    polarity: Polarity | None = None
    leaves: bool = False
    wants_repetition: bool = False
    cannot_say: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Attention:
    """What the agent listens for beyond what it always does."""

    asked: Collection[str] = ()
    """Slots that were just asked for or read back."""
    wanted: Collection[str] = ()
    """Slots that the matter at hand still needs: taken when they come along with those asked for."""
    held: Mapping[str, str] = field(default_factory=dict)
    undated: Mapping[str, SpokenDay] = field(default_factory=dict)
    today: date | None = None


def hear(text: str, table: Table, attention: Attention) -> Heard:
    """Make out what a turn says. Takes any text; never raises."""
    words = words_of(text)
    if not words:
        return Heard(is_silence=True)
    ear = _Ear(words, table, attention)
    ear.listen()
    return Heard(
        values=ear.values,
        doubtful=ear.doubtful,
        undated=ear.undated,
        intents=intents_in(ear.tagged(), table.intents),
        polarity=polarity_of(words),
        leaves=takes_leave(words),
        wants_repetition=wants_repetition(words),
        cannot_say=cannot_say(words),
    )


class _Ear:
    def __init__(self, words: Sequence[Word], table: Table, attention: Attention) -> None:
        self.values: dict[str, list[str]] = {}
        self.doubtful: dict[str, Option] = {}
        self.undated: dict[str, SpokenDay] = {}
        self._words = words
        self._table = table
        self._attention = attention
        self._used: dict[_Span, str] = {}
        """Words that are spoken for, and the slot they are of."""

    def listen(self) -> None:
        """Closed lists first, then dates and figures, and names from what is left."""
        for kinds in (("choice",), ("date",), ("phone", "digits"), ("code",), ("name",)):
            for name, slot in self._in_order(kinds):
                self._read(name, slot)

    def tagged(self) -> list[str]:
        """The turn's words, a `<slot>` before each value, PAUSE and END where it was marked."""
        starts = {span[0]: name for span, name in self._used.items()}
        tagged: list[str] = []
        for at, word in enumerate(self._words):
            tagged += [f"<{starts[at]}>", word.text] if at in starts else [word.text]
            tagged += [END] if word.stops else [PAUSE] if word.pause else []
        return tagged

    def _in_order(self, kinds: Collection[str]) -> list[tuple[str, Slot]]:
        """Slots of those kinds, the ones asked for first."""
        found = [(name, slot) for name, slot in self._table.slots.items() if slot.kind in kinds]
        rank = dict.fromkeys(self._attention.asked, 0)
        rank |= {name: 1 for name in self._attention.wanted if name not in rank}
        return sorted(found, key=lambda item: rank.get(item[0], 2))

    def _read(self, name: str, slot: Slot) -> None:
        if slot.kind == "choice":
            self._read_choice(name, slot)
        elif slot.kind == "date":
            self._read_date(name, slot)
        elif slot.kind == "name":
            self._read_name(name, slot)
        else:
            self._read_figures(name, slot)

    def _listens_for(self, name: str, slot: Slot, start: int) -> bool:
        """Whether a value that begins at that word is meant for the slot."""
        if name in self._attention.asked or (name in self._attention.wanted and self._attention.asked):
            return True
        before = [word.text for word in self._words[max(0, start - _CUE_REACH) : start]]
        return any(_ends_with(before, cue.split()) for cue in slot.cues)

    def _free(self, span: _Span) -> bool:
        return all(span[1] <= used[0] or used[1] <= span[0] for used in self._used)

    def _take(self, name: str, value: str, span: _Span) -> None:
        self.values.setdefault(name, []).append(value)
        self._used[span] = name

    def _read_choice(self, name: str, slot: Slot) -> None:
        asked = name in self._attention.asked
        for match in named_options(self._words, slot.options, asked=asked, by_sound=slot.names):
            if self._free(match.span):
                self._take_option(name, match)

    def _take_option(self, name: str, match: Match) -> None:
        if match.score >= SURE:
            self._take(name, match.option.value, match.span)
        else:
            self.doubtful[name] = match.option

    def _read_date(self, name: str, slot: Slot) -> None:
        for day in days_in(self._words):
            if name in self.values or not self._free(day.span) or not self._listens_for(name, slot, day.span[0]):
                continue
            when = self._dated(slot, day)
            if when is not None:
                self._take(name, when.isoformat(), day.span)
            elif day.year is None:
                self.undated[name] = day
                self._used[day.span] = name
        pending = self._attention.undated.get(name)
        if pending is not None and name not in self.values and name not in self.undated:
            year = year_in(self._words)
            when = pending.on(year) if year is not None else None
            if when is not None:
                self._take(name, when.isoformat(), (0, len(self._words)))

    def _dated(self, slot: Slot, day: SpokenDay) -> date | None:
        today = self._attention.today
        if day.year is None:
            return None if slot.past or today is None else _next(day, today)
        if day.year >= 1000:
            return day.on(day.year)
        latest = today.year if today is not None else None
        if slot.past:
            return day.on(century_of(day.year, latest)) if latest is not None else None
        return day.on(2000 + day.year)

    def _read_figures(self, name: str, slot: Slot) -> None:
        for start, end in self._rows(slot.kind == "code"):
            if name in self.values or not self._free((start, end)):
                continue
            row = "".join(word.text for word in self._words[start:end])
            value = _figures_value(slot, row)
            by_itself = slot.kind == "phone" and not slot.cues
            if value is not None and (by_itself or self._listens_for(name, slot, start)):
                self._take(name, value, (start, end))

    def _rows(self, letters_too: bool) -> list[_Span]:
        """Figures in a row; with letters, for codes. A place or "and" in between doesn't end one."""
        kinds = ("number", "letter") if letters_too else ("number",)
        rows: list[_Span] = []
        start: int | None = None
        for at in range(len(self._words) + 1):
            word = self._words[at] if at < len(self._words) else None
            if word is not None and word.kind in kinds and self._free((at, at + 1)):
                start = at if start is None else start
            elif start is not None:
                rows.append((start, at))
                start = None
        return rows

    def _read_name(self, name: str, slot: Slot) -> None:
        cue = next((at for at in range(len(self._words)) if self._listens_for(name, slot, at)), None)
        if cue is None:
            return
        spoken_for = {at for span in self._used for at in range(*span)}
        free = [word for at, word in enumerate(self._words) if at >= cue and at not in spoken_for]
        value = name_in(free, self._attention.held.get(name))
        if value is not None:
            self.values[name] = [value]


def _ends_with(words: Sequence[str], cue: Sequence[str]) -> bool:
    """Whether the cue's words stand together among the words."""
    size = len(cue)
    return any(list(words[at : at + size]) == list(cue) for at in range(len(words) - size + 1))


def _figures_value(slot: Slot, row: str) -> str | None:
    if slot.kind == "phone":
        national = row[1:] if len(row) == _NATIONAL + 1 and row.startswith("1") else row
        return f"+1{national}" if len(national) == _NATIONAL else None
    if slot.kind == "code":
        long_enough = len(row) in slot.sizes if slot.sizes else len(row) >= 4
        return row.upper() if long_enough and re.search(r"\d", row) else None
    return row if not slot.sizes or len(row) in slot.sizes else None


def _next(day: SpokenDay, today: date) -> date | None:
    this_year = day.on(today.year)
    return this_year if this_year is not None and this_year >= today else day.on(today.year + 1)
