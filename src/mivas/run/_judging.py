"""From evidence to a line of `verdicts.jsonl`: one way for a trial that ends and one that is scored again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mivas.line import Event
from mivas.pack import Pack, Suite
from mivas.run._evidence import run_result, scope_violations
from mivas.state import LoggedCall
from mivas.verify import verdict_object, verify


@dataclass(frozen=True, slots=True, kw_only=True)
class CallEvidence:
    """What a call left behind."""

    call_id: str
    events: Sequence[Event]
    logged: Sequence[LoggedCall]
    """The state service's own record."""
    state: Mapping[str, Any]
    """Dump at hang-up."""


def judge(
    evidence: CallEvidence, *, pack: Pack, suite: Suite, task_id: str, trial: int, discount: float
) -> dict[str, Any]:
    """The verdict line of a trial of one of the suite's tasks."""
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
    return {"key": f"{pack.id}/{task_id}/{trial}", "pack": pack.id, **judged}
