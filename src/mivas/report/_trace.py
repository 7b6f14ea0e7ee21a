"""A call's events as spans, and what its provider counted. Source: scoring.md section 5, trace fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from mivas.line import CallEnded, CallStarted, Event, Handoff, Speech, ToolFinished, ToolStarted, Usage

_NO_LANE = ("t_ms", "type", "node")


def trace_spans(events: Sequence[Event]) -> list[dict[str, Any]]:
    """The session's root span, then a span for each turn of the caller, each answer and each tool call, in order.

    Times are ms on the call's clock; `end_ms` is None for a tool that never answered.
    """
    spans: list[dict[str, Any]] = []
    tools: dict[str, dict[str, Any]] = {}
    turn = 0
    for event in events:
        match event:
            case Speech():
                turn += event.role == "caller"
                name, role = ("user_message", "user") if event.role == "caller" else ("model", "assistant")
                said = {"mivas.turn.index": turn, "mivas.role": role, "mivas.transcript": event.text}
                spans.append(_span(name, event.node, event.start_ms, event.end_ms, said))
            case ToolStarted():
                asked = {
                    "mivas.turn.index": turn,
                    "gen_ai.tool.name": event.name,
                    "gen_ai.tool.call.id": event.call_ref,
                    "gen_ai.tool.call.arguments": event.arguments,
                }
                tools[event.call_ref] = _span(f"execute_tool {event.name}", event.node, event.t_ms, None, asked)
                spans.append(tools[event.call_ref])
            case ToolFinished() if event.call_ref in tools:
                tools[event.call_ref]["end_ms"] = event.t_ms
                tools[event.call_ref]["attributes"]["gen_ai.tool.call.result"] = event.output
            case Handoff() if event.call_ref in tools:
                moved = {"gen_ai.handoff.from_agent": event.from_, "gen_ai.handoff.to_agent": event.to}
                tools[event.call_ref]["attributes"] |= moved
            case _:
                pass
    return [_root(events), *spans] if events else []


def total_usage(events: Sequence[Event]) -> dict[str, int] | None:
    """Lanes that a provider reported, added up over the call; None when none was reported."""
    lanes: dict[str, int] = {}
    for event in events:
        if isinstance(event, Usage):
            for lane, count in asdict(event).items():
                if lane not in _NO_LANE and count is not None:
                    lanes[lane] = lanes.get(lane, 0) + count
    return lanes or None


def _root(events: Sequence[Event]) -> dict[str, Any]:
    started = next((event for event in events if isinstance(event, CallStarted)), None)
    ended = next((event for event in reversed(events) if isinstance(event, CallEnded)), None)
    usage = {f"gen_ai.usage.{lane}": count for lane, count in (total_usage(events) or {}).items()}
    answers = sum(isinstance(event, Speech) and event.role == "agent" for event in events)
    return _span(
        "session",
        started.node if started else None,
        0,
        ended.t_ms if ended else None,
        {"mivas.response.count": answers, **usage},
    )


def _span(name: str, node: str | None, start_ms: int, end_ms: int | None, attributes: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "node": node, "start_ms": start_ms, "end_ms": end_ms, "attributes": attributes}
