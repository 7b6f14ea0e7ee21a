"""A caller's goals in a call: which are met by what was heard, and how the next one is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

from mivas.caller._decision import AskAgain, AskGoal, ChangeMind
from mivas.caller._heard import Heard, KnownFact, holds
from mivas.caller._mind_state import Script, State, one_more
from mivas.caller._vocabulary import STATEMENTS
from mivas.pack import HeardFile

_NO_ANSWER = frozenset({"greeting", "goodbye", "wait"})
"""Statements that answer no goal, whatever it is."""


def note_goals(script: Script, state: State, heard: Heard) -> tuple[State, list[ChangeMind]]:
    """Mark the goals that this turn met, and change the mind where the program says so.

    The parts of an `all` may come over several turns, once the goal was put: "yes, we take it", then "at Park Avenue,
    yes". What was named before the first answering statement doesn't count, or the agent's own question would.
    """
    changes: list[ChangeMind] = []
    for place, goal in enumerate(script.program.goals):
        if goal.id in state.met or (goal.unless is not None and holds(goal.unless, heard)):
            continue
        was_put = state.has_opened and (place == 0 or goal.id in state.asked)  # the opening puts the first
        needed = goal.met_when.all or ()
        parts = _parts_met(needed, state.parts.get(goal.id, frozenset()), heard) if was_put else frozenset()
        if not holds(goal.met_when, heard) and not 0 < len(needed) == len(parts):
            state = replace(state, parts=MappingProxyType({**state.parts, goal.id: parts}))
            continue
        state = replace(state, met=state.met | {goal.id})
        for change in script.program.changes:
            if change.after == goal.id:
                state = replace(state, facts=_changed(state.facts, change.fact, change.to, change.say))
                changes.append(ChangeMind(fact=change.fact, text=change.say))
    return state, changes


def _parts_met(needed: Sequence[HeardFile], before: frozenset[int], heard: Heard) -> frozenset[int]:
    """Places of the parts that hold by now, given those met before."""
    kept = {place for place in before if not _denied(needed[place], heard)}
    now = {place for place, part in enumerate(needed) if holds(part, heard)}
    answered = kept or any(_is_statement(needed[place]) for place in now)
    return frozenset(kept | now) if answered else frozenset()


def _denied(condition: HeardFile, heard: Heard) -> bool:
    """Whether this turn names the condition's value and says otherwise than it wants."""
    return condition.value is not None and condition.value in heard.values and not holds(condition, heard)


def _is_statement(condition: HeardFile) -> bool:
    if condition.value is not None:
        return condition.value in STATEMENTS
    return any(_is_statement(part) for part in (condition.all or condition.any or ()))


def _changed(facts: tuple[KnownFact, ...], fact: str, to: str, say: str) -> tuple[KnownFact, ...]:
    return tuple(replace(one, value=to, say=say, spell=None) if one.id == fact else one for one in facts)


def is_done(script: Script, state: State, heard: Heard) -> bool:
    """Whether the exit's goals are met; without any, whether the agent asks if there is more."""
    wanted = set(script.program.exit.when)
    return wanted <= state.met if wanted else "anything_else" in heard.questions


def ask_for_goal(script: Script, state: State, heard: Heard) -> tuple[State, AskGoal | AskAgain | None]:
    """The next open goal, in the program's order; None when nothing is open.

    Each `ask` wording is used once, in turn; `again` where the agent answered something else, or none is left.
    """
    for goal in script.program.goals:
        if goal.id in state.met:
            continue
        used = state.asked.get(goal.id, 0)
        answered = used > 0 and any(name in STATEMENTS and name not in _NO_ANSWER for name in heard.values)
        if answered or used >= len(goal.ask):
            return state, AskAgain(goal=goal.id, text=goal.again)
        return replace(state, asked=one_more(state.asked, [goal.id])), AskGoal(goal=goal.id, text=goal.ask[used])
    return state, None
