"""From evidence to a line of `verdicts.jsonl`: one way for a trial that ends and one that is scored again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from mivas.caller import Hearing, caller_faults
from mivas.line import Event, Problem, interaction_of
from mivas.pack import Pack, Suite
from mivas.run._evidence import run_result, scope_violations
from mivas.state import LoggedCall
from mivas.verify import verdict_object, verify

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
    verdict = verify(
        task=suite.tasks[task_id].raw,
        result=run_result(evidence.call_id, evidence.events, evidence.logged),
        state=evidence.state,
        scoring=pack.scoring,
        tool_schemas=pack.tool_schemas,
        discount=discount,
    )
    judged = verdict_object(verdict, task_id=task_id, trial=trial, suite=suite.name, suite_hash=suite.hash)
    judged["diagnostics"]["scope_violations"] = scope_violations(evidence.events)
    judged["diagnostics"]["caller_faults"] = [
        asdict(fault) for fault in caller_faults(evidence.events, suite.tasks[task_id], hearing)
    ]
    if evidence.spoken:
        judged["diagnostics"]["interaction"] = asdict(interaction_of(evidence.events))
    if judged["mark"] == "VOID" and _caller_broke(evidence.events):
        judged["void_reason"] = CALLER_LOST
    return {"key": f"{pack.id}/{task_id}/{trial}", "pack": pack.id, **judged}


def first_fault(verdict: Mapping[str, Any]) -> str | None:
    """Code for the column `caller_fault` of `trials.jsonl`: the first of a verdict's caller faults."""
    faults = verdict["diagnostics"].get("caller_faults")
    return str(faults[0]["code"]) if faults else None


def _caller_broke(events: Sequence[Event]) -> bool:
    return any(isinstance(event, Problem) and event.where.startswith(CALLER_ERRORS) for event in events)
