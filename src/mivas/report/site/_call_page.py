"""Everything the page of one call shows, as one value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from mivas.line import (
    CallEnded,
    Event,
    Handoff,
    Interruption,
    Note,
    Problem,
    Speech,
    ToolFinished,
    ToolStarted,
    Usage,
)
from mivas.report._trace import total_usage
from mivas.report.site._material import SiteCall
from mivas.report.site._rows import Tables, aligned_diff, changed_rows

MARK_WORDS = {
    "pass": "Passed",
    "FAIL": "Failed",
    "VOID": "Void: can't be scored",
    "MISS": "No task for this call",
    "wait": "The call is not over",
}
GATE_WORDS = {"tools": "tools", "handoff": "route", "database": "database"}


def call_page(call: SiteCall, run: str, seed: Tables | None) -> dict[str, Any]:
    """The value of a call's data file; what isn't known is None.

    Args:
        run: name of its run in the site.
        seed: its pack's tables before the call; None where the pack isn't known.
    """
    one = call.conversation
    verdict, record, events = one.verdict, one.record, one.events
    ended_ms = next((event.t_ms for event in reversed(events) if isinstance(event, CallEnded)), None)
    return {
        "run": run,
        "call": record.get("call_id"),
        "pack": verdict.get("pack"),
        "task": verdict.get("task_id"),
        "trial": verdict.get("trial"),
        "attempt": record.get("attempt"),
        "title": None if one.task is None else title_of(one.task.file.task_name),
        "mark": verdict.get("mark"),
        "sentence": verdict_sentence(verdict, call.ended),
        "gates": gate_states(verdict),
        "handoff_verdict": _part(verdict, "handoff").get("verdict"),
        "reasons": list(verdict.get("reasons") or ()),
        "database_note": _part(verdict, "database").get("note"),
        "caller_faults": list(_part(verdict, "diagnostics").get("caller_faults") or ()),
        "scope_violations": list(_part(verdict, "diagnostics").get("scope_violations") or ()),
        "order_violations": list(_part(verdict, "diagnostics").get("order_violations") or ()),
        "interaction": _part(verdict, "diagnostics").get("interaction"),
        "spoken": one.manifest.get("tier") not in (None, "text"),
        "ended": call.ended,
        "duration_ms": ended_ms if ended_ms is not None else record.get("t_ms"),
        "items": list(_items(events)),
        "usage": total_usage(events),
        "expected": expected_calls(call),
        "route": {
            "expected": list(_part(verdict, "handoff").get("expected") or (one.task.expected_path if one.task else ())),
            "walked": [[event.from_, event.to, event.t_ms] for event in events if isinstance(event, Handoff)],
        },
        "diff": {table: aligned_diff(found) for table, found in (_part(verdict, "database").get("diff") or {}).items()},
        "changed": changed_rows(seed, one.state) if seed is not None and one.state is not None else None,
        "conduct": _conduct(call),
    }


def title_of(task_name: str) -> str:
    """A task's name without its id.

    >>> title_of("C1-E1: does the plan count"), title_of("plain")
    ('does the plan count', 'plain')
    """
    head, colon, rest = task_name.partition(":")
    return rest.strip() if colon else head.strip()


def gate_states(verdict: Mapping[str, Any]) -> dict[str, bool | None]:
    """Gate to whether it was cleared; None where it wasn't evaluated, or the call isn't scored."""
    scored = verdict.get("mark") in ("pass", "FAIL")
    return {
        letter: _part(verdict, gate).get("passed") if scored else None
        for letter, gate in (("T", "tools"), ("H", "handoff"), ("D", "database"))
    }


def verdict_sentence(verdict: Mapping[str, Any], ended: bool = True) -> str:
    """What became of the call, in one sentence."""
    if not ended:
        return "The call is going on."
    mark = str(verdict.get("mark"))
    if mark == "VOID":
        return f"Void, it can't be scored: {verdict.get('void_reason') or 'no reason was kept'}."
    if mark not in ("pass", "FAIL"):
        return f"{MARK_WORDS.get(mark, mark)}."
    failed = [GATE_WORDS[part] for part in GATE_WORDS if _part(verdict, part).get("passed") is False]
    if mark == "pass":
        return _praise(verdict)
    reasons = [str(reason.get("text")) for reason in verdict.get("reasons") or ()]
    more = len(reasons) - 1
    told = f": {reasons[0]}" if reasons else ""
    return f"Failed by {_listed(failed)}{told}{f', and {more} more' if more > 0 else ''}."


def _praise(verdict: Mapping[str, Any]) -> str:
    hits = len(_part(verdict, "tools").get("hit") or ())
    calls = {
        0: "no tool was asked for",
        1: "the expected call was made",
        2: "both expected calls were made",
    }.get(hits, f"all {hits} expected calls were made")
    route = {
        "exact": "the route was the expected one",
        "none_required": "no route was asked for",
        "in_order_with_extras": "the route held the expected one, with extra transfers",
    }.get(str(_part(verdict, "handoff").get("verdict")), "the route was accepted")
    skipped = _part(verdict, "database").get("passed") is None
    end = "the database was not compared" if skipped else "the database ended as locked"
    return f"Passed: {calls}, {route}, and {end}."


def _listed(words: Sequence[str]) -> str:
    if len(words) < 2:
        return f"the {words[0]} gate" if words else "a gate"
    return f"the {', '.join(words[:-1])} and {words[-1]} gates"


def _part(verdict: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    part = verdict.get(key)
    return part if isinstance(part, Mapping) else {}


def expected_calls(call: SiteCall) -> list[dict[str, Any]] | None:
    """What the lock asks for, with the call that met it or the reason why none did; None without a known task."""
    task = call.conversation.task
    if task is None:
        return None
    reasons = iter([one for one in call.conversation.verdict.get("reasons") or () if one.get("gate") == "T"])
    rows = []
    for place, wanted in enumerate(task.expected_calls):
        met_by = call.met_by[place] if call.met_by is not None and place < len(call.met_by) else None
        row: dict[str, Any] = {"name": wanted.name, "arguments": dict(wanted.arguments), "met_by": met_by}
        if call.met_by is None:
            row["met"] = None
        else:
            row["met"] = met_by is not None
            if met_by is None and (reason := next(reasons, None)) is not None:
                row["reason"] = reason  # the verifier gives one for each unmet call, in lock order
        rows.append(row)
    return rows


def _conduct(call: SiteCall) -> dict[str, list[str]] | None:
    task = call.conversation.task
    if task is None or task.solution is None:
        return None
    conduct = task.solution.conduct
    return {"required": list(conduct.required), "prohibited": list(conduct.prohibited)}


def _items(events: Sequence[Event]) -> Iterator[dict[str, Any]]:
    """What happened, in order; a tool's answer stands with its call."""
    tools: dict[str, dict[str, Any]] = {}
    found: list[dict[str, Any]] = []
    for event in events:
        match event:
            case Speech():
                said = asdict(event)
                keys = ("role", "node", "text", "heard", "start_ms", "end_ms", "interrupted")
                found.append({"kind": "speech", "t_ms": event.start_ms, **{key: said[key] for key in keys}})
            case ToolStarted():
                tools[event.call_ref] = {
                    "kind": "tool",
                    "t_ms": event.t_ms,
                    "ref": event.call_ref,
                    "tool_kind": event.kind,
                    "name": event.name,
                    "node": event.node,
                    "arguments": dict(event.arguments),
                    "output": None,
                    "latency_ms": None,
                    "in_scope": None,
                }
                found.append(tools[event.call_ref])
            case ToolFinished() if event.call_ref in tools:
                tools[event.call_ref] |= {
                    "output": dict(event.output),
                    "latency_ms": event.latency_ms,
                    "in_scope": event.in_scope,
                }
            case Handoff():
                found.append({"kind": "handoff", "t_ms": event.t_ms, "from": event.from_, "to": event.to})
            case Interruption():
                found.append({"kind": "interruption", "t_ms": event.at_ms, "by": event.by})
            case Note():
                found.append({"kind": "note", "t_ms": event.t_ms, "code": event.code, "text": event.text})
            case Problem():
                problem = {"kind": "error", "t_ms": event.t_ms, "where": event.where}
                found.append({**problem, "class": event.class_, "text": event.text})
            case CallEnded():
                found.append({"kind": "end", "t_ms": event.t_ms, "by": event.by, "reason": event.reason})
            case Usage() | _:
                pass
    yield from sorted(found, key=lambda one: one["t_ms"])
