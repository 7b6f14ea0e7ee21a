"""What one turn of the agent meant to the caller, and conditions on it (formats.md 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, TypeAlias

from mivas.caller._vocabulary import OFFERS, QUESTIONS, STATEMENTS
from mivas.pack import HeardFile

Polarity: TypeAlias = Literal["yes", "no"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFact:
    """Something the caller knows, as far as it matters for hearing it named."""

    id: str
    value: str
    """As a form would hold it: `07/19/1958`, `7185550142`, `aetna`."""
    say: str
    """As the caller says it."""
    spell: str | None = None
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBack:
    """A fact of the caller's that the agent repeated to have it confirmed."""

    fact: str
    right: bool
    said: str
    """The agent's words for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What one turn of the agent meant to the caller."""

    questions: frozenset[str] = frozenset()
    offers: frozenset[str] = frozenset()
    values: Mapping[str, Polarity] = field(default_factory=lambda: MappingProxyType({}))
    """Statement id or id of a named fact -> whether it was affirmed or denied."""
    read_backs: tuple[ReadBack, ...] = ()
    agreeing_takes: frozenset[str] = frozenset()
    """Offers that are put as the question for consent ("shall I go ahead and text it?"): a yes would take them."""
    unclear: bool = False
    """Something was asked or offered that the caller couldn't tell: "I didn't catch that" is the honest answer."""


def holds(condition: HeardFile, heard: Heard) -> bool:
    """Whether a condition of `caller.json` is met by what was heard."""
    if condition.question is not None:
        return condition.question in heard.questions
    if condition.offer is not None:
        return condition.offer in heard.offers
    if condition.value is not None:
        found = heard.values.get(condition.value)
        return found is not None and condition.polarity in (None, "any", found)
    if condition.all is not None:
        return all(holds(part, heard) for part in condition.all)
    return any(holds(part, heard) for part in condition.any or ())


def unknown_ids(condition: HeardFile, facts: Iterable[str]) -> list[str]:
    """Ids in a condition that no closed list and no fact knows."""
    if condition.question is not None:
        return [] if condition.question in QUESTIONS else [f"question {condition.question!r}"]
    if condition.offer is not None:
        return [] if condition.offer in OFFERS else [f"offer {condition.offer!r}"]
    if condition.value is not None:
        return [] if condition.value in STATEMENTS or condition.value in set(facts) else [f"value {condition.value!r}"]
    return [name for part in (condition.all or condition.any or ()) for name in unknown_ids(part, facts)]
