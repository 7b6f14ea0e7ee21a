"""How a spoken call felt, from its event log alone. Definitions and units: docs/interaction.md.

Pure; every figure follows from `speech`, `tool.finished`, `handoff`, `interruption` and `call.ended` events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise

from mivas.line._events import CallEnded, Event, Handoff, Interruption, Speech, ToolFinished, ToolStarted


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction:
    """Figures of one call, all times in ms; lists in the order in which things happened."""

    response_latency_ms: tuple[int, ...]
    """Caller's last word to the agent's first, wherever the agent answered."""
    dead_air_after_tool_ms: tuple[int, ...]
    """A tool's answer to the next word of anybody, wherever nobody was speaking when it came."""
    talk_over_ms: int
    """Both speaking at once, summed."""
    yield_ms: tuple[int, ...]
    """Caller's first word into the agent's speech to the agent's silence, wherever the agent gave way."""
    handoff_gap_ms: tuple[int, ...]
    """Last word of the old desk to the first of the new one."""
    goodbye_cut: bool
    """Whether the line went dead in the agent's last words."""


def interaction_of(events: Sequence[Event]) -> Interaction:
    """Figures of one call. Speech that was passed as text has times as well, but they are made up: not for those."""
    speech = sorted((one for one in events if isinstance(one, Speech)), key=lambda one: (one.start_ms, one.end_ms))
    agent = [one for one in speech if one.role == "agent"]
    caller = [one for one in speech if one.role == "caller"]
    return Interaction(
        response_latency_ms=tuple(_latencies(speech)),
        dead_air_after_tool_ms=tuple(_dead_air(events, speech)),
        talk_over_ms=sum(_overlap(one, other) for one in agent for other in caller),
        yield_ms=tuple(_yields(events, agent, caller)),
        handoff_gap_ms=tuple(_handoff_gaps(events, agent)),
        goodbye_cut=_goodbye_cut(events, agent),
    )


def pooled(calls: Iterable[Interaction]) -> dict[str, list[int]]:
    """The times of several calls together, by the names of the fields; `talk_over_ms` has one a call."""
    found: dict[str, list[int]] = {field.name: [] for field in fields(Interaction) if field.name != "goodbye_cut"}
    for call in calls:
        for name, values in found.items():
            value = getattr(call, name)
            values += value if isinstance(value, tuple) else [value]
    return found


def _latencies(speech: Sequence[Speech]) -> Iterator[int]:
    for before, after in pairwise(speech):
        if before.role == "caller" and after.role == "agent" and after.start_ms >= before.end_ms:
            yield after.start_ms - before.end_ms


def _dead_air(events: Sequence[Event], speech: Sequence[Speech]) -> Iterator[int]:
    industry = {one.call_ref for one in events if isinstance(one, ToolStarted) and one.kind == "industry"}
    answers = sorted({one.t_ms for one in events if isinstance(one, ToolFinished) and one.call_ref in industry})
    for place, t_ms in enumerate(answers):
        if any(one.start_ms < t_ms < one.end_ms for one in speech):
            continue
        following = next((one.start_ms for one in speech if one.start_ms >= t_ms), None)
        latest = place + 1 == len(answers) or following is None or answers[place + 1] > following
        if following is not None and latest:  # of several answers in one silence the last one counts
            yield following - t_ms


def _overlap(one: Speech, other: Speech) -> int:
    return max(0, min(one.end_ms, other.end_ms) - max(one.start_ms, other.start_ms))


def _yields(events: Sequence[Event], agent: Sequence[Speech], caller: Sequence[Speech]) -> Iterator[int]:
    cuts = {one.at_ms for one in events if isinstance(one, Interruption) and one.by == "caller"}
    for one in agent:
        into = [other for other in caller if one.start_ms < other.start_ms < one.end_ms]
        if one.interrupted and into and one.end_ms in cuts:
            yield one.end_ms - into[-1].start_ms


def _handoff_gaps(events: Sequence[Event], agent: Sequence[Speech]) -> Iterator[int]:
    for handoff in (one for one in events if isinstance(one, Handoff)):
        before = [one.end_ms for one in agent if one.start_ms < handoff.t_ms]
        after = [one.start_ms for one in agent if one.start_ms >= handoff.t_ms]
        if before and after:
            yield max(0, min(after) - max(before))


def _goodbye_cut(events: Sequence[Event], agent: Sequence[Speech]) -> bool:
    ended = next((one for one in reversed(events) if isinstance(one, CallEnded)), None)
    return bool(agent and ended and agent[-1].interrupted and agent[-1].end_ms >= ended.t_ms)
