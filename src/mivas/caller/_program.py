"""The caller as a program: hears by rules, decides by its mind, speaks by templates. A thin shell with the memory.

Deterministic: the same brief and seed give the same words to the same agent.
"""

from __future__ import annotations

import re

from mivas.caller._engine import CallerBrief, CallerEndpoint, Reply
from mivas.caller._heard import KnownFact
from mivas.caller._mind import decide, patience_ms
from mivas.caller._mind_state import AgentTurn, Script, State
from mivas.caller._phrasing import Phraser, TemplatePhraser
from mivas.caller._understanding import understand
from mivas.errors import InputError

_SPELLING = re.compile(r"\bspell(?:s|ed|ing|t)?\b|\bletter by letter\b", re.IGNORECASE)
MOST_WORDS_KEPT = 60
"""How much of a turn is kept to know it again."""


class ProgramCaller:
    """One simulated person in one call. Implements `Caller`."""

    def __init__(self, brief: CallerBrief, seed: int = 0, phraser: Phraser | None = None) -> None:
        self._script = Script(program=brief.program, locked_replies=brief.locked_replies, occurrences=brief.occurrences)
        self._state = State(facts=tuple(_known_facts(brief)))
        self._seed = seed
        self._phraser = phraser or TemplatePhraser()

    def reply(self, heard_text: str, now_ms: int = 0) -> Reply:
        """Answer the agent's latest turn; "" means that it kept silent. Raises CallerLost from its phraser."""
        turn = AgentTurn(
            heard=understand(heard_text, self._state.facts),
            words=_words(heard_text),
            asks_spelling=_SPELLING.search(heard_text) is not None,
        )
        self._state, decision = decide(self._script, self._state, turn, now_ms)
        phrased = self._phraser.phrase(decision, self._seed)
        return Reply(text=phrased.text, ending=decision.ending, notes=phrased.notes)

    def patience_ms(self, now_ms: int) -> int:
        """How long it now listens to a silent line before it speaks up or hangs up, 1 or more."""
        return patience_ms(self._script, self._state, now_ms)


class ProgramKind:
    """Entry point `mivas.callers: program`."""

    name = "program"
    revision = "2"
    model = None

    def phone(self, brief: CallerBrief, seed: int) -> ProgramCaller:
        return ProgramCaller(brief, seed)


def program(endpoint: CallerEndpoint) -> ProgramKind:
    """Raises InputError: a program has no use for a model."""
    if endpoint.model is not None or endpoint.base_url is not None:
        raise InputError("caller program takes no model", where="--caller", mend="leave out its model and base URL")
    return ProgramKind()


def _known_facts(brief: CallerBrief) -> list[KnownFact]:
    return [
        KnownFact(id=fact.id, value=fact.value, say=fact.say, spell=fact.spell, answers=fact.answers)
        for fact in brief.program.facts
    ]


def _words(text: str) -> str:
    """A turn's first words without case and punctuation; what holds no letter or digit stays as it is."""
    plain = " ".join(re.findall(r"\w+", text.lower())[:MOST_WORDS_KEPT])
    return plain or text.strip()[:MOST_WORDS_KEPT]
