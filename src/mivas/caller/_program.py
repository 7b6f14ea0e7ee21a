"""The caller as a program: hears by rules, decides by its mind, speaks by templates. A thin shell with the memory.

Deterministic: the same brief and seed give the same words to the same agent.
"""

from __future__ import annotations

import re
from functools import lru_cache

from mivas.caller._engine import CallerBrief, CallerEndpoint, Reply
from mivas.caller._heard import Heard, KnownFact
from mivas.caller._hearing_model import Hearing
from mivas.caller._mind import decide, patience_ms
from mivas.caller._mind_state import AgentTurn, Script, State
from mivas.caller._phrasing import Phraser, TemplatePhraser
from mivas.caller._understanding import understand
from mivas.errors import InputError

_SPELLING = re.compile(r"\bspell(?:s|ed|ing|t)?\b|\bletter by letter\b", re.IGNORECASE)
SECOND_OPINION = "second-opinion"
LONGEST_TURN_KEPT = 2_000
"""Characters up to which what a turn means is kept for the next that hears it."""
MOST_WORDS_KEPT = 60
"""How much of a turn is kept to know it again."""


class ProgramCaller:
    """One simulated person in one call. Implements `Caller`."""

    def __init__(
        self,
        brief: CallerBrief,
        seed: int = 0,
        phraser: Phraser | None = None,
        hearing: Hearing | None = None,
    ) -> None:
        self._script = script_of(brief)
        self._state = State(facts=known_facts(brief))
        self._seed = seed
        self._phraser = phraser or TemplatePhraser()
        self._hearing = hearing

    def reply(self, heard_text: str, now_ms: int = 0) -> Reply:
        """Answer the agent's latest turn; "" means that it kept silent. Raises CallerLost from its phraser."""
        turn = heard_turn(heard_text, self._state.facts, self._hearing)
        self._state, decision = decide(self._script, self._state, turn, now_ms)
        phrased = self._phraser.phrase(decision, self._seed)
        return Reply(text=phrased.text, ending=decision.ending, notes=phrased.notes)

    def patience_ms(self, now_ms: int) -> int:
        """How long it now listens to a silent line before it speaks up or hangs up, 1 or more."""
        return patience_ms(self._script, self._state, now_ms)


class ProgramKind:
    """Entry point `mivas.callers: program`."""

    name = "program"
    revision = "3"
    model = None

    def phone(self, brief: CallerBrief, seed: int) -> ProgramCaller:
        return ProgramCaller(brief, seed)


class SecondOpinionKind:
    """Entry point `mivas.callers: second-opinion`: the program, hearing with a sentence encoder beside its model."""

    name = SECOND_OPINION
    revision = "2"
    model = None

    def __init__(self, hearing: Hearing) -> None:
        self._hearing = hearing

    def phone(self, brief: CallerBrief, seed: int) -> ProgramCaller:
        return ProgramCaller(brief, seed, hearing=self._hearing)


def program(endpoint: CallerEndpoint) -> ProgramKind:
    """Raises InputError: a program has no use for a model."""
    _refuse_model("program", endpoint)
    return ProgramKind()


def second_opinion_caller(endpoint: CallerEndpoint) -> SecondOpinionKind:
    """Raises InputError: as for `program`; and where numpy isn't installed."""
    _refuse_model(SECOND_OPINION, endpoint)
    return SecondOpinionKind(_second_opinion())


def hearing_of(caller: str) -> Hearing | None:
    """What callers of that kind hear with, None for the model that every caller has. Raises InputError (no numpy)."""
    return _second_opinion() if caller == SECOND_OPINION else None


def _second_opinion() -> Hearing:
    try:
        from mivas.caller._hearing_encoder import second_opinion  # loads numpy and 11 MB of weights
    except ModuleNotFoundError as error:
        raise InputError(
            f"caller {SECOND_OPINION} needs {error.name}", where="--caller", mend="pip install 'mivas[hearing]'"
        ) from None
    return second_opinion()


def _refuse_model(name: str, endpoint: CallerEndpoint) -> None:
    if endpoint.model is not None or endpoint.base_url is not None:
        raise InputError(f"caller {name} takes no model", where="--caller", mend="leave out its model and base URL")


def script_of(brief: CallerBrief) -> Script:
    """What of a brief a program goes by."""
    return Script(program=brief.program, locked_replies=brief.locked_replies, occurrences=brief.occurrences)


def known_facts(brief: CallerBrief) -> tuple[KnownFact, ...]:
    """The program's facts as a call begins with them."""
    return tuple(
        KnownFact(id=fact.id, value=fact.value, say=fact.say, spell=fact.spell, answers=fact.answers)
        for fact in brief.program.facts
    )


def heard_turn(text: str, facts: tuple[KnownFact, ...], hearing: Hearing | None = None) -> AgentTurn:
    """An agent's turn as a caller with those facts takes it in."""
    text = text.encode(errors="replace").decode()  # a model may send half a surrogate pair, which no library reads
    if hearing is not None or len(text) > LONGEST_TURN_KEPT:
        heard = understand(text, facts, hearing)
    else:
        heard = _understood(text, facts)
    return AgentTurn(heard=heard, words=_words(text), asks_spelling=_SPELLING.search(text) is not None)


@lru_cache(maxsize=2048)
def _understood(text: str, facts: tuple[KnownFact, ...]) -> Heard:
    """Trials of a task hear much the same, and a call is heard once more when its caller's faults are looked for."""
    return understand(text, facts)


def _words(text: str) -> str:
    """A turn's first words without case and punctuation; what holds no letter or digit stays as it is."""
    plain = " ".join(re.findall(r"\w+", text.lower())[:MOST_WORDS_KEPT])
    return plain or text.strip()[:MOST_WORDS_KEPT]
