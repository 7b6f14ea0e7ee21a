"""From a call's events and the state service's own log to the run result the verifier reads (scoring.md 3.1).

The state service is the second witness of industry calls; where the two disagree it wins (formats.md 5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mivas.line import CallEnded, Event, Handoff, Note, Speech, ToolFinished, ToolStarted
from mivas.pack import END_CALL
from mivas.state import LoggedCall

MISMATCH = "evidence_mismatch"
BROKE = "tool_broke"


@dataclass(frozen=True, slots=True, kw_only=True)
class _ToolUse:
    """One started/finished pair."""

    started: ToolStarted
    finished: ToolFinished | None
    moved: bool
    """Whether a transfer followed."""


def run_result(call_id: str, events: Sequence[Event], logged: Sequence[LoggedCall]) -> dict[str, Any]:
    """The run result object: one group a tool name, one element a call that was carried out."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for name, element in _elements(events, logged):
        groups.setdefault(name, []).append(element)
    return {
        "id": call_id,
        "status": _status(events),
        "tool_calls": [{"name": name, "actual": elements} for name, elements in groups.items()],
        "transcript": [
            # The words of an agent that runs elsewhere aren't known, only what the caller's ears made of them.
            {"role": event.role.upper(), "text": event.text.strip() or event.heard or ""}
            for event in events
            if isinstance(event, Speech)
        ],
    }


def mismatches(events: Sequence[Event], logged: Sequence[LoggedCall]) -> list[str]:
    """Where the harness's record and the service's log of industry calls disagree; one sentence each."""
    by_key = {call.idempotency_key: call for call in logged}
    uses = {use.started.call_ref: use for use in _uses(events) if use.started.kind != "handoff"}
    said = [
        f"{call.tool} ({call.idempotency_key}) is in the service's log only"
        for call in logged
        if call.idempotency_key not in uses
    ]
    for reference, use in uses.items():
        call = by_key.get(reference)
        if call is None:
            if use.started.kind != "handoff" and _succeeded(use) and not _is_pure_session(use):
                said.append(f"{use.started.name} ({reference}) is in the harness's record only")
        elif call.tool != use.started.name or call.arguments != use.started.arguments:
            said.append(f"{use.started.name} ({reference}) was logged as {call.tool} with other arguments")
        elif use.finished is not None and call.output != use.finished.output:
            said.append(f"{use.started.name} ({reference}) was answered otherwise than the harness says")
    return said


def scope_violations(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Calls of tools that the active node doesn't own, carried out or not."""
    return [
        {"tool": use.started.name, "node": use.started.node, "t_ms": use.started.t_ms}
        for use in _uses(events)
        if use.finished is not None and not use.finished.in_scope
    ]


def service_notes(events: Sequence[Event], logged: Sequence[LoggedCall], t_ms: int) -> list[Note]:
    """What the state service's log adds to the events: handlers that broke, and where the two disagree."""
    return [
        *(Note(t_ms=t_ms, code=BROKE, text=f"{call.tool} broke: {call.broke}") for call in logged if call.broke),
        *(Note(t_ms=t_ms, code=MISMATCH, text=text) for text in mismatches(events, logged)),
    ]


def _elements(events: Sequence[Event], logged: Sequence[LoggedCall]) -> Iterator[tuple[str, dict[str, Any]]]:
    by_key = {call.idempotency_key: call for call in logged}
    seen = set()
    for use in _uses(events):
        reference = use.started.call_ref
        witness = by_key.get(reference)
        if use.started.kind != "handoff" and witness is not None and reference not in seen:
            seen.add(reference)
            yield witness.tool, _element(witness.arguments, witness.output, use.started.t_ms)
        elif use.moved or _is_pure_session(use):
            output = use.finished.output if use.finished is not None else {}
            yield use.started.name, _element(use.started.arguments, output, use.started.t_ms)
    for call in logged:
        if call.idempotency_key not in seen:
            yield call.tool, _element(call.arguments, call.output, None)


def _is_pure_session(use: _ToolUse) -> bool:
    """A session tool that the service never sees, carried out."""
    return use.started.name == END_CALL and use.started.kind == "session" and _succeeded(use)


def _succeeded(use: _ToolUse) -> bool:
    """Whether the harness says that the call went well: `ok`, else `success` (runtime.md 6)."""
    output = use.finished.output if use.finished is not None else {}
    return bool(output.get("ok", output.get("success", False)))


def _element(arguments: Mapping[str, Any], output: Mapping[str, Any], t_ms: int | None) -> dict[str, Any]:
    return {"parameters": dict(arguments), "output": dict(output), "start_offset_ms": t_ms}


def _uses(events: Sequence[Event]) -> list[_ToolUse]:
    """Started calls with their ends, in order. A reference used twice makes two uses, each with its own end."""
    uses: list[_ToolUse] = []
    latest: dict[str, int] = {}
    for event in events:
        if isinstance(event, ToolStarted):
            latest[event.call_ref] = len(uses)
            uses.append(_ToolUse(started=event, finished=None, moved=False))
        elif isinstance(event, ToolFinished | Handoff) and event.call_ref in latest:
            at = latest[event.call_ref]
            ended = {"finished": event} if isinstance(event, ToolFinished) else {"moved": True}
            uses[at] = replace(uses[at], **ended)
    return uses


def _status(events: Sequence[Event]) -> str:
    ended = next((event for event in reversed(events) if isinstance(event, CallEnded)), None)
    if ended is None:
        return "ERROR"
    return "SYSTEM_ERROR" if ended.by in ("harness", "provider") else "COMPLETED"
