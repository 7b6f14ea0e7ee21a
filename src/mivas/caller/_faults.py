"""What a caller did wrong in a call, found in its event log afterwards: beside the verdict, never part of it.

The call is played again through the caller's own ears and mind (`understand`, `decide`), and what was said is held
against what should have been. So a fault tells of words and hang-ups that don't follow from what was heard; what a
caller misheard is measured elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mivas.caller._brief import brief_for
from mivas.caller._check_texts import values
from mivas.caller._decision import CorrectFact, Decision, LockedReply
from mivas.caller._engine import CallerBrief
from mivas.caller._heard import KnownFact, ReadBack
from mivas.caller._hearing_model import Hearing
from mivas.caller._llm_values import Values, unfounded
from mivas.caller._mind import decide
from mivas.caller._mind_state import State
from mivas.caller._program import heard_turn, known_facts, script_of
from mivas.line import CallEnded, Event, Speech
from mivas.pack import Task

FaultCode: TypeAlias = Literal["consented_to_wrong_read_back", "said_unknown_value", "ignored_pin", "hung_up_early"]
MOST_FAULTS = 20
"""Told of one call; a caller that talks nonsense for eight minutes needs no list of it."""
_ASSENT = re.compile(r"\b(?:yes|yeah|yep|correct|right|exactly|sure|go ahead|that's it|fine)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallerFault:
    """One thing that a caller did wrong."""

    code: FaultCode
    t_ms: int
    text: str
    """One sentence for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    """One turn of the caller's, and what came before it."""

    heard: str
    """What the agent said since the caller's last turn; "" when it kept silent."""
    said: Speech
    is_last: bool
    """Whether the caller hung up after it."""


def caller_faults(events: Sequence[Event], task: Task, hearing: Hearing | None = None) -> tuple[CallerFault, ...]:
    """Faults of the caller in one call, in the order in which they happened.

    Args:
        hearing: what the caller heard with; None for the model that every caller has.

    Without a program of the task's own only `said_unknown_value` can be told: nobody wrote down when its locked
    replies are due and when it may leave.
    """
    brief = brief_for(task)
    found: list[CallerFault] = []
    known = [one for text in _given(brief) for one in values(text)]
    script, state = script_of(brief), State(facts=known_facts(brief))
    for turn in _turns(events):
        known += values(turn.heard)
        found += _unknown_values(turn, known)
        if not brief.approximate:
            facts = state.facts
            agent = heard_turn(turn.heard, facts, hearing)
            state, due = decide(script, state, agent, turn.said.start_ms)
            found += _wrong_consent(turn, facts, agent.heard.read_backs, due)
            found += _ignored_pin(turn, due)
            found += _early_end(turn, due)
    return tuple(found[:MOST_FAULTS])


def _turns(events: Sequence[Event]) -> Iterator[_Turn]:
    speech = [event for event in events if isinstance(event, Speech)]
    ended = next((event for event in events if isinstance(event, CallEnded)), None)
    last = max((place for place, event in enumerate(speech) if event.role == "caller"), default=-1)
    pending: list[str] = []
    for place, event in enumerate(speech):
        words = event.text if event.heard is None else event.heard
        if event.role == "agent":
            pending.append(words)
            continue
        hung_up = place == last and ended is not None and ended.by == "caller"
        yield _Turn(heard=" ".join(pending), said=event, is_last=hung_up)
        pending = []


def _unknown_values(turn: _Turn, known: Sequence[Values]) -> Iterator[CallerFault]:
    """Numbers, names and ids that the caller wasn't given and the agent hadn't said."""
    said = [name for one in values(turn.said.text) for name in unfounded(one, known)]
    if said:
        yield _fault("said_unknown_value", turn, f"said {said[0]!r}, which nobody had told it")


def _wrong_consent(
    turn: _Turn, facts: Sequence[KnownFact], read_backs: Sequence[ReadBack], due: Decision
) -> Iterator[CallerFault]:
    """A yes to a wrong read-back, and not a word of what is right."""
    wrong = {one.fact: one.said for one in read_backs if not one.right}
    corrected = any(isinstance(act, CorrectFact) and act.say in turn.said.text for act in due.acts)
    own_yes = any({"read_back", "consent"} & set(fact.answers) and fact.say in turn.said.text for fact in facts)
    if wrong and not corrected and (own_yes or _ASSENT.search(turn.said.text)):
        yield _fault("consented_to_wrong_read_back", turn, f"let {next(iter(wrong.values()))!r} stand")


def _ignored_pin(turn: _Turn, due: Decision) -> Iterator[CallerFault]:
    for act in due.acts:
        if isinstance(act, LockedReply) and act.text not in turn.said.text:
            yield _fault("ignored_pin", turn, f"locked reply {act.index} was due: {act.text!r}")


def _early_end(turn: _Turn, due: Decision) -> Iterator[CallerFault]:
    if turn.is_last and due.ending is None:
        yield _fault("hung_up_early", turn, "left while its goals were open and its patience had not run out")


def _fault(code: FaultCode, turn: _Turn, text: str) -> CallerFault:
    return CallerFault(code=code, t_ms=turn.said.t_ms, text=text)


def _given(brief: CallerBrief) -> Iterator[str]:
    """Every text that a caller may take a value from."""
    program = brief.program
    yield from (brief.name, brief.intent, *brief.traits.values(), *brief.locked_replies)
    yield from (program.opening or "", program.exit.say)
    for fact in program.facts:
        yield from (fact.value, fact.say, fact.spell or "")
    for goal in program.goals:
        yield from (*goal.ask, goal.again)
    for change in program.changes:
        yield from (change.to, change.say)
