"""From an agent's turn to what the caller heard: questions, offers, and values with their polarity."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mivas.caller._vocabulary import OFFERS, QUESTIONS, STATEMENTS
from mivas.pack import HeardFile

Polarity: TypeAlias = Literal["yes", "no"]

_SENTENCE = re.compile(r".+?(?:[!?]+|\.+(?=\s|$)|$)", re.DOTALL)
"""A full stop inside a word (an address, an amount) ends no sentence."""
_ASKING = tuple(
    f"{cue} "
    for cue in (
        "may i",
        "can i",
        "could i",
        "could you",
        "can you",
        "please give",
        "please tell",
        "what",
        "which",
        "who",
    )
)
_OFFERING = ("would you like", "do you want", "shall i", "should i", "i can", "can i", "want me to", "we could")
_NEGATION = re.compile(r"\b(?:not|no|never|none|cannot|unable|neither|\w+n't)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What one turn of the agent meant to the caller."""

    questions: frozenset[str] = frozenset()
    offers: frozenset[str] = frozenset()
    values: Mapping[str, Polarity]
    """Statement or fact id -> whether it was affirmed or denied."""


def understand(text: str, facts: Mapping[str, Iterable[str]]) -> Heard:
    """Hear an agent's turn.

    Args:
        facts: fact id -> spellings that mention it (value, spoken form).

    >>> sorted(understand("May I have your name and date of birth?", {}).questions)
    ['date_of_birth', 'name']
    """
    questions: set[str] = set()
    offers: set[str] = set()
    values: dict[str, Polarity] = {}
    for sentence in _SENTENCE.findall(text.lower().replace("’", "'")):
        spoken = " ".join(re.sub(r"[^a-z0-9'@+ -]", " ", sentence).split())
        asks = "?" in sentence or f"{spoken} ".startswith(_ASKING)
        if asks:
            questions.update(_matches(QUESTIONS, spoken))
        if any(_says(spoken, cue) for cue in _OFFERING):
            offers.update(_matches(OFFERS, spoken))
        polarity: Polarity = "no" if _NEGATION.search(spoken) else "yes"
        if not asks:
            values.update(dict.fromkeys(_matches(STATEMENTS, spoken, _affirmed(spoken)), polarity))
        values.update(dict.fromkeys(_mentioned(facts, spoken), polarity))
    return Heard(questions=frozenset(questions), offers=frozenset(offers), values=values)


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


def _matches(table: Mapping[str, tuple[str, ...]], *wordings: str) -> list[str]:
    return [name for name, cues in table.items() if any(_says(wording, cue) for wording in wordings for cue in cues)]


def _affirmed(spoken: str) -> str:
    """A sentence without its "not", so that a denial still meets the words of what it denies.

    >>> _affirmed("you aren't booked"), _affirmed("we do not take that plan")
    ('you are booked', 'we take that plan')
    """
    apart = re.sub(r"(\w)n't\b", r"\1 not", spoken)
    return " ".join(re.sub(r"\b(?:do |does |did )?(?:not|never)\b", " ", apart).split())


def _mentioned(facts: Mapping[str, Iterable[str]], spoken: str) -> list[str]:
    return [name for name, spellings in facts.items() if any(_says(spoken, _plain(one)) for one in spellings if one)]


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^a-z0-9'@+ -]", " ", text.lower().replace("’", "'")).split())


def _says(spoken: str, cue: str) -> bool:
    padded = f" {spoken} "
    return bool(cue) and (f" {cue} " in padded or f" {cue}s " in padded)
