"""From an agent's turn to what the caller heard: questions, offers, and values with their polarity."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from mivas.caller._heard import Heard, KnownFact, Polarity
from mivas.caller._vocabulary import OFFERS, QUESTIONS, STATEMENTS

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


def understand(text: str, facts: Sequence[KnownFact]) -> Heard:
    """Hear an agent's turn.

    Args:
        facts: what the caller knows, with the values it holds now.

    >>> sorted(understand("May I have your name and date of birth?", []).questions)
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


def _matches(table: Mapping[str, tuple[str, ...]], *wordings: str) -> list[str]:
    return [name for name, cues in table.items() if any(_says(wording, cue) for wording in wordings for cue in cues)]


def _affirmed(spoken: str) -> str:
    """A sentence without its "not", so that a denial still meets the words of what it denies.

    >>> _affirmed("you aren't booked"), _affirmed("we do not take that plan")
    ('you are booked', 'we take that plan')
    """
    apart = re.sub(r"(\w)n't\b", r"\1 not", spoken)
    return " ".join(re.sub(r"\b(?:do |does |did )?(?:not|never)\b", " ", apart).split())


def _mentioned(facts: Sequence[KnownFact], spoken: str) -> list[str]:
    return [fact.id for fact in facts if any(_says(spoken, _plain(one)) for one in (fact.value, fact.say) if one)]


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^a-z0-9'@+ -]", " ", text.lower().replace("’", "'")).split())


def _says(spoken: str, cue: str) -> bool:
    padded = f" {spoken} "
    return bool(cue) and (f" {cue} " in padded or f" {cue}s " in padded)
