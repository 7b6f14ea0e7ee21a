"""Locked replies: which pin a turn calls for, and what of the turn it settles. Source: scoring.md 8.3."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from mivas.caller._answer import Answer
from mivas.caller._decision import LockedReply
from mivas.caller._heard import Heard, holds
from mivas.caller._mind_state import Script, State, one_more
from mivas.pack import HeardFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinned:
    """The pin that a turn calls for, if any."""

    reply: LockedReply | None = None
    questions: frozenset[str] = frozenset()
    """Questions of the turn that the pin is about, so that nothing else need answer them."""
    offers: frozenset[str] = frozenset()


def pinned(script: Script, state: State, heard: Heard, answer: Answer) -> tuple[State, Pinned]:
    """The first pin in file order whose situation came up: `when` holds, `not_when` doesn't, its mode allows it.

    A pin about a read-back or about consent isn't met while something was read back wrong, nor one about consent while
    something is to be declined: its situation is another.
    """
    for pin in script.program.pins:
        if pin.not_when is not None and holds(pin.not_when, heard):
            continue
        if not holds(pin.when, _without_assent(heard, answer)):
            continue
        state = replace(state, matched=one_more(state.matched, [str(pin.index)]))
        if _may_speak(script, pin.index, state.matched[str(pin.index)]):
            leaves = list(_leaves(pin.when))
            return state, Pinned(
                reply=LockedReply(index=pin.index, text=script.locked_replies[pin.index]),
                questions=frozenset(leaf.question for leaf in leaves if leaf.question) & heard.questions,
                offers=frozenset(leaf.offer for leaf in leaves if leaf.offer) & heard.offers,
            )
    return state, Pinned()


def _without_assent(heard: Heard, answer: Answer) -> Heard:
    """What was heard, without the questions that mustn't be answered with a yes now."""
    barred = {"read_back", "consent"} if answer.corrects else {"consent"} if answer.refuses else set()
    return replace(heard, questions=heard.questions - barred)


def _may_speak(script: Script, index: int, times: int) -> bool:
    """Whether a pin may be said now that its situation came up for the `times`-th time."""
    if index >= len(script.occurrences):
        return True
    occurrence = script.occurrences[index]
    return occurrence.mode == "always" or times == (occurrence.n if occurrence.mode == "nth" else 1)


def _leaves(condition: HeardFile) -> Iterator[HeardFile]:
    for part in condition.all or condition.any or ():
        yield from _leaves(part)
    if condition.all is None and condition.any is None:
        yield condition
