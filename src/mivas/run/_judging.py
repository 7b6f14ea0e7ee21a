"""From evidence to a line of `verdicts.jsonl`: one way for a trial that ends and one that is scored again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from mivas.caller import Hearing, caller_faults
from mivas.line import Event, Note, Problem, interaction_of
from mivas.pack import Blueprint, Pack, Suite, Task
from mivas.run._evidence import run_result, scope_violations
from mivas.run._reports import NO_HANDOFF_EVIDENCE
from mivas.state import LoggedCall
from mivas.verify import Verdict, verdict_object, verify

CALLER_LOST = "caller_lost"
"""Why a trial whose own caller broke is VOID: no harness is to blame."""
CALLER_ERRORS = "caller:"
"""How the `where` of an error event begins that is about the caller; its kind follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallEvidence:
    """What a call left behind."""

    call_id: str
    events: Sequence[Event]
    logged: Sequence[LoggedCall]
    """The state service's own record."""
    state: Mapping[str, Any]
    """Dump at hang-up."""
    spoken: bool = False
    """Whether it was a call with sound, whose times mean something."""


def judge(
    evidence: CallEvidence,
    *,
    pack: Pack,
    suite: Suite,
    task_id: str,
    trial: int,
    discount: float,
    hearing: Hearing | None = None,
) -> dict[str, Any]:
    """The verdict line of a trial of one of the suite's tasks.

    Args:
        hearing: what the caller heard with, to find its faults; None for the model that every caller has.
    """
    task = suite.tasks[task_id]
    result = run_result(evidence.call_id, evidence.events, evidence.logged)

    def verdict_of(result: Mapping[str, Any]) -> Verdict:
        return verify(
            task=task.raw, result=result, state=evidence.state, scoring=pack.scoring,
            tool_schemas=pack.tool_schemas, discount=discount,
        )  # fmt: skip

    verdict = verdict_of(result)
    blind = verdict.mark in ("pass", "FAIL") and _lacks_handoff_evidence(evidence.events, pack.blueprint, task)
    if blind:
        verdict = verdict_of({**result, "status": "SYSTEM_ERROR"})
    judged = verdict_object(verdict, task_id=task_id, trial=trial, suite=suite.name, suite_hash=suite.hash)
    judged["diagnostics"]["scope_violations"] = scope_violations(evidence.events)
    judged["diagnostics"]["caller_faults"] = [
        asdict(fault) for fault in caller_faults(evidence.events, suite.tasks[task_id], hearing)
    ]
    if evidence.spoken:
        judged["diagnostics"]["interaction"] = asdict(interaction_of(evidence.events))
    if judged["mark"] == "VOID" and _caller_broke(evidence.events):
        judged["void_reason"] = CALLER_LOST
    if blind:
        judged["void_reason"] = NO_HANDOFF_EVIDENCE
    return {"key": f"{pack.id}/{task_id}/{trial}", "pack": pack.id, **judged}


def first_fault(verdict: Mapping[str, Any]) -> str | None:
    """Code for the column `caller_fault` of `trials.jsonl`: the first of a verdict's caller faults."""
    faults = verdict["diagnostics"].get("caller_faults")
    return str(faults[0]["code"]) if faults else None


def _lacks_handoff_evidence(events: Sequence[Event], blueprint: Blueprint, task: Task) -> bool:
    """Whether the task asks for transfers and nobody can know if there were any (runtime.md 8.8)."""
    untold = any(isinstance(event, Note) and event.code == NO_HANDOFF_EVIDENCE for event in events)
    return untold and any(edge.tool in task.expected_path for edge in blueprint.edges())


def _caller_broke(events: Sequence[Event]) -> bool:
    return any(isinstance(event, Problem) and event.where.startswith(CALLER_ERRORS) for event in events)
