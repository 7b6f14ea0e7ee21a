"""What the caller wants, in the order in which it is served."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from mivas.reflex._table import Form, Option, Table


@dataclass(frozen=True, slots=True)
class Wish:
    """An intent, and values that were said for it alone."""

    intent: str
    values: Mapping[str, str] = field(default_factory=dict)


QuestionKind: TypeAlias = Literal["fill", "confirm", "correct", "maybe", "list", "offer", "anything_else"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the agent waits to be told."""

    kind: QuestionKind
    text: str = ""
    slots: tuple[str, ...] = ()
    option: Option | None = None
    """Of `maybe`: what may have been said."""
    intent: str | None = None
    """Of `offer`: what a yes stands for."""


@dataclass(slots=True)
class Round:
    """A form being worked through."""

    form: Form
    wish: Wish | None
    """None for what a desk does first."""
    serves: bool = False
    """Whether the wish is done with the form; else it only clears the way."""
    position: int = 0
    restarts: int = 0
    said: list[str] = field(default_factory=list)


class Agenda:
    """Wishes in the table's order; urgent ones first."""

    def __init__(self, table: Table) -> None:
        self._rank = {name: (not intent.urgent, at) for at, (name, intent) in enumerate(table.intents.items())}
        self._wishes: list[Wish] = []

    def add(self, wishes: Iterable[Wish]) -> None:
        new = [wish for wish in wishes if wish not in self._wishes]
        self._wishes = sorted([*self._wishes, *new], key=lambda wish: self._rank[wish.intent])

    @property
    def first(self) -> Wish | None:
        return self._wishes[0] if self._wishes else None

    def drop(self, wish: Wish) -> None:
        self._wishes = [one for one in self._wishes if one is not wish]

    def clear(self) -> None:
        self._wishes = []
