"""The verdict on one call: gates, mark, reasons and reward together. Source: scoring.md 3.8 and 9, cli.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mivas.pack import Scoring
from mivas.verify._database_gate import NO_DUMP, DatabaseGate, TableDiff, database_gate
from mivas.verify._diagnostics import Diagnostics, diagnose
from mivas.verify._flatten import Call, as_object, expected_calls, flatten
from mivas.verify._handoff_gate import HandoffGate, expected_path, handoff_gate
from mivas.verify._mark import Mark, agent_chars, is_pending, void_reason
from mivas.verify._reasons import Reason, database_reasons, handoff_reasons, tool_reasons
from mivas.verify._revision import verifier_revision
from mivas.verify._tool_gate import ToolGate, ToolSchemas, tool_gate

NO_STATE = "no_state"
"""Void reason when a dump is required and there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Everything the verifier has to say about one call.

    The gates of a call that can't be scored (VOID, MISS, wait) are None: nobody should read a figure off them.
    """

    mark: Mark
    combined: bool | None
    """All evaluated gates passed; None unless the mark is pass or FAIL."""
    void_reason: str | None
    tools: ToolGate | None
    handoff: HandoffGate | None
    database: DatabaseGate
    reasons: tuple[Reason, ...]
    diagnostics: Diagnostics
    r_eval: int | None
    r_train: float | None
    actual_tools: tuple[str, ...]
    """Names of all calls made, in time order."""
    hops: tuple[str, ...]
    agent_chars: int | None
    """Characters the agent spoke; None without a transcript."""

    @property
    def state_skipped(self) -> bool:
        """Whether the call was scored without its database."""
        return self.combined is not None and self.database.passed is None


def verify(
    *,
    task: Mapping[str, object] | None,
    result: Mapping[str, object],
    state: Mapping[str, object] | None,
    scoring: Scoring,
    tool_schemas: Mapping[str, Mapping[str, object]],
    discount: float = 0.5,
    require_state: bool = False,
) -> Verdict:
    """Judge one recorded call. Pure: the same inputs always give the same verdict.

    Args:
        task: raw `task.json` object; None when nobody knows which task was called.
        result: run result; only its calls, status, trace ids and transcript are read.
        state: dump at hang-up; None leaves the database gate out. {} is a dump.
        tool_schemas: inputSchema of each tool, by name.
        discount: r_train of a call that passed with extra hops, between 0 and 1.
        require_state: a call without a dump is VOID instead of judged by two gates.
    Raises: nothing, whatever the recorded parts hold; malformed parts degrade as scoring.md 3.1 says.
    """
    evidence = as_object(result)
    calls = flatten(evidence)
    hops = tuple(call.name for call in calls if call.name in scoring.transfer_set)
    spoken = agent_chars(evidence)
    void = void_reason(evidence, calls, spoken)
    mark: Mark | None = "wait" if is_pending(evidence) else "VOID" if void else None
    if mark is None and not isinstance(task, Mapping):
        mark = "MISS"
    if mark is None and isinstance(task, Mapping):
        database = database_gate(task, state, scoring)
        if not (require_state and database.note == NO_DUMP):
            return _scored(task, calls, hops, database, spoken, scoring, tool_schemas, discount)
        mark, void = "VOID", NO_STATE
    return _unscored(mark or "MISS", void, calls, hops, spoken, scoring)


def _unscored(
    mark: Mark, void: str | None, calls: Sequence[Call], hops: tuple[str, ...], spoken: int | None, scoring: Scoring
) -> Verdict:
    notes = {"wait": "the call is not over", "VOID": "the call can't be scored", "MISS": "no task for this result"}
    return Verdict(
        mark=mark,
        combined=None,
        void_reason=void if mark == "VOID" else None,
        tools=None,
        handoff=None,
        database=DatabaseGate(passed=None, note=notes[mark]),
        reasons=(),
        diagnostics=diagnose(calls, (), scoring),
        r_eval=None,
        r_train=None,
        actual_tools=tuple(call.name for call in calls),
        hops=hops,
        agent_chars=spoken,
    )


def _scored(
    task: Mapping[str, Any],
    calls: Sequence[Call],
    hops: tuple[str, ...],
    database: DatabaseGate,
    spoken: int | None,
    scoring: Scoring,
    schemas: ToolSchemas,
    discount: float,
) -> Verdict:
    expected = expected_calls(task)
    tools = tool_gate(expected, calls, scoring, schemas)
    handoff = handoff_gate(expected_path(task.get("exp_handoff_path")), hops)
    combined = tools.passed and handoff.passed and database.passed is not False
    reasons: tuple[Reason, ...] = ()
    if not combined:
        reasons = (
            *tool_reasons(tools, expected, calls, scoring, schemas),
            *handoff_reasons(handoff),
            *database_reasons(database),
        )
    return Verdict(
        mark="pass" if combined else "FAIL",
        combined=combined,
        void_reason=None,
        tools=tools,
        handoff=handoff,
        database=database,
        reasons=reasons,
        diagnostics=diagnose(calls, tools.pairs, scoring),
        r_eval=int(combined),
        r_train=_r_train(combined, handoff, discount),
        actual_tools=tuple(call.name for call in calls),
        hops=hops,
        agent_chars=spoken,
    )


def _r_train(combined: bool, handoff: HandoffGate, discount: float) -> float:
    if not combined:
        return 0.0
    return 1.0 if handoff.verdict == "exact" else discount


def verdict_object(
    verdict: Verdict, *, task_id: str | None, trial: int | None, suite: str | None, suite_hash: str | None
) -> dict[str, Any]:
    """One line of VERDICTS.jsonl, keys in the order of cli.md."""
    tools, handoff, database = verdict.tools, verdict.handoff, verdict.database
    return {
        "task_id": task_id,
        "trial": trial,
        "mark": verdict.mark,
        "combined": verdict.combined,
        "void_reason": verdict.void_reason,
        "tools": {
            "passed": tools.passed if tools else None,
            "score": tools.score if tools else None,
            "hit": list(tools.hit) if tools else [],
            "missing": list(tools.missing) if tools else [],
            "extra": list(tools.extra) if tools else [],
        },
        "handoff": {
            "passed": handoff.passed if handoff else None,
            "score": handoff.score if handoff else None,
            "verdict": handoff.verdict if handoff else None,
            "expected": list(handoff.expected) if handoff else [],
            "actual": list(verdict.hops),
        },
        "database": {
            "passed": database.passed,
            "skipped": database.passed is None,
            "note": database.note,
            "diff": {table: _diff_object(diff) for table, diff in database.diff.items()} if database.diff else None,
        },
        "reasons": [reason.as_object() for reason in verdict.reasons],
        "diagnostics": {
            "scope_violations": list(verdict.diagnostics.scope_violations),
            "order_violations": list(verdict.diagnostics.order_violations),
            "parity_aliases": list(verdict.diagnostics.parity_aliases),
        },
        "r_eval": verdict.r_eval,
        "r_train": verdict.r_train,
        "suite": suite,
        "suite_hash": suite_hash,
        "verifier_revision": verifier_revision(),
    }


def _diff_object(diff: TableDiff) -> dict[str, Any]:
    return {
        "expected_count": diff.expected_count,
        "actual_count": diff.actual_count,
        "only_in_expected": list(diff.only_in_expected),
        "only_in_actual": list(diff.only_in_actual),
    }
