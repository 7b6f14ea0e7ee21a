"""What the agent knows in one call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from mivas.reflex import _aloud
from mivas.reflex._dates import SpokenDay
from mivas.reflex._hearing import Heard
from mivas.reflex._table import Table


class Memory:
    """Slots held, which of them the caller confirmed, how often each was asked for, and answers of tools."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.held: dict[str, str] = {}
        self.undated: dict[str, SpokenDay] = {}
        self.asked: Counter[str] = Counter()
        self._every: dict[str, tuple[str, ...]] = {}
        """All values that the last turn which named the slot gave it."""
        self._names = {
            name: {option.value: option.say for option in slot.options} for name, slot in table.slots.items()
        }
        self._confirmed: set[str] = set()
        self._answers: dict[str, Any] = {}

    def keep(self, heard: Heard) -> frozenset[str]:
        """Hold the values heard, of several the first. Returns the slots whose value is new or another."""
        changed = {name for name, values in heard.values.items() if self.held.get(name) != values[0]}
        for name, values in heard.values.items():
            self._every[name] = tuple(values)
        for name in changed:
            self.hold(name, heard.values[name][0])
        for name, day in heard.undated.items():
            self.undated[name] = day
            self.held.pop(name, None)
        return frozenset(changed)

    def hold(self, name: str, value: str) -> None:
        """Hold a value; one that differs from before has to be confirmed anew."""
        if self.held.get(name) != value:
            self._confirmed.discard(name)
        self.held[name] = value
        self.undated.pop(name, None)
        self.asked[name] = 0

    def confirm(self, names: Iterable[str]) -> None:
        self._confirmed.update(names)

    def forget(self, names: Iterable[str]) -> None:
        for name in names:
            self.held.pop(name, None)
            self.undated.pop(name, None)
            self._every.pop(name, None)
            self._confirmed.discard(name)

    def forget_passing(self) -> None:
        """Drop what was said for one round only."""
        self.forget([name for name, slot in self._table.slots.items() if slot.once])

    def missing(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(name for name in names if name not in self.held)

    def unconfirmed(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(name for name in names if name not in self._confirmed)

    def answer(self, name: str | None, data: Any) -> None:
        self._answers["answer"] = data
        if name is not None:
            self._answers[name] = data

    @property
    def known(self) -> Mapping[str, Any]:
        """What templates and expressions see.

        Slots by name, `said` with their spoken forms, `every` with all values last named, answers by name, and
        `names`, by slot and value, for values that come from an answer.
        """
        said = {name: self.spoken(name) for name in self.held}
        every = {name: self._every.get(name, (value,)) for name, value in self.held.items()}
        return {**self._answers, **self.held, "said": said, "every": every, "names": self._names}

    def spoken(self, name: str) -> str:
        return spoken_value(self._table, name, self.held[name])


def spoken_value(table: Table, name: str, value: str) -> str:
    """A slot's value as it is said and read back."""
    slot = table.slots[name]
    if slot.kind == "choice":
        return next((option.say for option in slot.options if option.value == value), value)
    if slot.kind == "date":
        return _aloud.day(value)
    if slot.kind == "phone":
        return _aloud.telephone(value)
    return value if slot.kind == "name" else _aloud.characters(value)
