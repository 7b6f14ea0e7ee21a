"""From what a run kept of a call to its row. Source: scoring.md section 5."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import PurePosixPath
from typing import Any

from mivas.line import CallEnded, Event, Interruption, ToolStarted
from mivas.pack import Task
from mivas.report._columns import EXPORT_COLUMNS
from mivas.report._trace import total_usage, trace_spans

SCORED = ("pass", "FAIL")
NO_SOUND = "text"
"""Tier in which nobody speaks aloud: nothing about sound is known there, not even that nobody cut in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """What a run kept of one call. None, or nothing in it: not known."""

    manifest: Mapping[str, Any]
    """`run.json` of its run."""
    verdict: Mapping[str, Any]
    """Its line of `verdicts.jsonl`."""
    record: Mapping[str, Any]
    """Its line of `trials.jsonl`."""
    events: Sequence[Event] = ()
    result: Mapping[str, Any] | None = None
    """The run result the verifier read: status, tool_calls, transcript."""
    state: Mapping[str, Any] | None = None
    """Dump at hang-up."""
    task: Task | None = None
    """The task as it was when the call was judged."""
    task_path: str | None = None
    """Its file, relative to the repository; never a path of this machine."""
    retry_of: str | None = None
    """Call id of the attempt that this one repeats."""


def export_rows(conversations: Iterable[Conversation]) -> Iterator[dict[str, Any]]:
    """One row a conversation, in the given order, with every column of the export in the published order.

    Values are typed: lists, JSON values, numbers, booleans; unknown is None. Conversations are counted from 1 within
    each run, pack and task.
    """
    counted: Counter[tuple[Any, ...]] = Counter()
    for one in conversations:
        case = (one.manifest.get("run_id"), one.verdict.get("pack"), one.verdict.get("task_id"))
        counted[case] += 1
        cells = {
            **_identity(one),
            "conversation_index": counted[case],
            **_marks(one),
            **_gates(one),
            **_tools(one),
            **_database(one),
            **_talk(one),
            **_conditions(one),
        }
        yield {column.name: cells.get(column.name) for column in EXPORT_COLUMNS}


def _object(source: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """A part of a line that older folders or other hands may have left out."""
    part = source.get(key)
    return part if isinstance(part, Mapping) else {}


def _identity(one: Conversation) -> dict[str, Any]:
    cells = {
        "run_id": one.manifest.get("run_id"),
        "simulation_id": one.verdict.get("key"),
        "result_id": one.record.get("call_id"),
        "industry": one.verdict.get("pack"),
        "case_key": one.verdict.get("task_id"),
    }
    if one.task_path is not None:
        cells |= {"task_path": one.task_path, "task_dir": str(PurePosixPath(one.task_path).parent)}
    if one.task is not None:
        file = one.task.file
        cells |= {
            "task_name": file.task_name,
            "dh_name": file.customer_name,
            "category": file.metadata.category,
            "difficulty": file.metadata.difficulty,
            "audio_condition": file.metadata.audio_condition,
        }
    return cells


def _marks(one: Conversation) -> dict[str, Any]:
    verdict = one.verdict
    return {
        "status": (one.result or {}).get("status"),
        "mark": verdict["mark"],
        "pending": verdict["mark"] == "wait",
        "void_reason": verdict.get("void_reason"),
    }


def _gates(one: Conversation) -> dict[str, Any]:
    """What the gates found; blank for a call that wasn't scored, whatever its verdict line may hold."""
    verdict = one.verdict
    if verdict["mark"] not in SCORED:
        return {}
    tools, handoff, database, remarks = (
        _object(verdict, part) for part in ("tools", "handoff", "database", "diagnostics")
    )
    aliases = remarks.get("parity_aliases")
    return {
        "combined_pass": verdict.get("combined"),
        "tools_pass": tools.get("passed"),
        "handoff_pass": handoff.get("passed"),
        "hangup_db_pass": database.get("passed"),
        "tools_score": tools.get("score"),
        "missing_tools": tools.get("missing"),
        "hit_tools": tools.get("hit"),
        "handoff_verdict": handoff.get("verdict"),
        "handoff_score": handoff.get("score"),
        "expected_handoffs": handoff.get("expected"),
        "hangup_diff": database.get("diff") if database.get("passed") is False else None,
        "parity_alias_used": None if aliases is None else bool(aliases),
        "order_violations": remarks.get("order_violations"),
    }


def _tools(one: Conversation) -> dict[str, Any]:
    cells: dict[str, Any] = {"actual_handoffs": _object(one.verdict, "handoff").get("actual")}
    expected: list[str] | None = None
    if one.task is not None:
        expected = list(dict.fromkeys(call.name for call in one.task.expected_calls))
        cells |= {"expected_tools": expected, "expected_tool_calls_json": one.task.raw.get("exp_tool_calls")}
        if one.verdict["mark"] not in SCORED:
            cells["expected_handoffs"] = list(one.task.expected_path)
    if one.result is not None:
        calls = _calls_in_order(one.result, one.events)
        actual = [call["name"] for call in calls]
        cells |= {
            "actual_tools": actual,
            "actual_tool_calls_json": calls,
        }
        if expected is not None:
            cells["extra_tools"] = [name for name in dict.fromkeys(actual) if name not in expected]
    return cells


def _calls_in_order(result: Mapping[str, Any], events: Sequence[Event]) -> list[dict[str, Any]]:
    """Calls by their time; those of one instant in the order in which they began, those without a time last."""
    began: dict[tuple[str, int], deque[int]] = defaultdict(deque)
    for place, event in enumerate(events):
        if isinstance(event, ToolStarted):
            began[event.name, event.t_ms].append(place)
    placed = []
    for group in result.get("tool_calls") or ():
        for element in group["actual"]:
            t_ms = element.get("start_offset_ms")
            places = began.get((group["name"], t_ms))
            order = (inf if t_ms is None else t_ms, places.popleft() if places else len(events))
            placed.append((order, {"name": group["name"], **element}))
    return [call for _, call in sorted(placed, key=lambda one: one[0])]


def _database(one: Conversation) -> dict[str, Any]:
    return {
        "hangup_expected_json": None if one.task is None else one.task.raw.get("exp_db_state"),
        "hangup_actual_json": one.state,
        "hangup_note": _object(one.verdict, "database").get("note"),
    }


def _talk(one: Conversation) -> dict[str, Any]:
    ended_ms = next((event.t_ms for event in reversed(one.events) if isinstance(event, CallEnded)), None)
    if ended_ms is None:
        ended_ms = one.record.get("t_ms")
    duration_s = None if ended_ms is None else ended_ms / 1000
    cells: dict[str, Any] = {"duration_s": duration_s, "builtin_duration": ended_ms}
    turns = (one.result or {}).get("transcript")
    if turns is not None:
        cells |= {
            "transcript": "\n".join(f"{turn['role']}: {_one_line(turn['text'])}" for turn in turns),
            "agent_chars": sum(len(turn["text"].strip()) for turn in turns if turn["role"] == "AGENT"),
            "num_turns": len(turns),
            "builtin_num_turns": len(turns),
        }
    if one.manifest.get("tier") not in (None, NO_SOUND):
        cells["audio_seconds"] = duration_s
        if one.events:
            cut_in = Counter(event.by for event in one.events if isinstance(event, Interruption))
            cells |= {
                "builtin_agent_interruption_count": cut_in["agent"],
                "builtin_customer_interruption_count": cut_in["caller"],
            }
    return cells


def _one_line(text: str) -> str:
    """A turn stays on its line: nobody can speak another turn into the transcript."""
    return " ".join(text.replace("\r", "\n").split("\n"))


def _conditions(one: Conversation) -> dict[str, Any]:
    manifest, verdict, record = one.manifest, one.verdict, one.record
    harness, caller = _object(manifest, "harness"), _object(manifest, "caller")
    traces = (one.result or {}).get("trace_ids")
    return {
        "trace_id": traces[0] if traces else None,
        "trace_json": trace_spans(one.events) or None,
        "model_id": harness.get("models") or None,
        "usage_json": total_usage(one.events),
        "verifier_revision": verdict.get("verifier_revision"),
        "repo_revision": manifest.get("revision"),
        "harness": harness.get("name"),
        "concurrency": manifest.get("concurrency"),
        "retry_of": one.retry_of,
        "tier": manifest.get("tier"),
        "condition": manifest.get("condition"),
        "caller": " ".join(str(caller[part]) for part in ("name", "model") if caller.get(part)) or None,
        "caller_fault": record.get("caller_fault"),
        "attempt": record.get("attempt"),
        "suite": verdict.get("suite"),
        "suite_hash": verdict.get("suite_hash"),
        "scope_violations": _object(verdict, "diagnostics").get("scope_violations"),
    }
