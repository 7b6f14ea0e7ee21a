"""Expected states: what is left behind when the oracle plays a solution. Source: scoring.md 3.9, formats.md 2."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mivas.pack import Task
from mivas.pack import steps as step_kinds
from mivas.probe._case import Workbench, open_workbench, without_moments
from mivas.probe._oracle import OracleHarness
from mivas.probe._rehearsal import Rehearsal, rehearse
from mivas.run import SuiteSource


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltState:
    """What playing one task's solution came to."""

    task_id: str
    state: Mapping[str, Any]
    """Every table, without the moments of writes."""
    complaints: tuple[str, ...]
    """Why the solution is no proof; () when it is, and only then the state is worth writing."""
    differs: bool
    """Whether the task's `exp_db_state` is another, the order of tables and columns included."""


def build_states(
    pack_name: str, source: SuiteSource | None, task_ids: frozenset[str] | None = None
) -> Iterator[BuiltState]:
    """Let the oracle play each solution, or those of the named tasks, on a fresh database. Raises MivasError."""
    with TemporaryDirectory(prefix="mivas-states-") as folder, open_workbench(pack_name, source, Path(folder)) as bench:
        for task in bench.suite.tasks.values():
            if task_ids is None or task.task_id in task_ids:
                yield _built(bench, task)


def _built(bench: Workbench, task: Task) -> BuiltState:
    if task.solution is None:
        return BuiltState(task_id=task.task_id, state={}, complaints=("it has no solution.json",), differs=False)
    rehearsal = rehearse(bench.pack, task, task.solution.steps, bench.stage)
    outcome = bench.play(task, OracleHarness())
    state = {table: without_moments(rows) for table, rows in outcome.state.items()}
    complaints = (
        *_refused(rehearsal),
        *(reason["text"] for reason in outcome.verdict["reasons"] if reason["gate"] != "D"),
        *([f"the call ends as {outcome.verdict['void_reason']}"] if outcome.verdict["mark"] == "VOID" else []),
    )
    # As text, because the order of tables and columns is part of the file.
    differs = json.dumps(task.raw.get("exp_db_state")) != json.dumps(state)
    return BuiltState(task_id=task.task_id, state=state, complaints=tuple(dict.fromkeys(complaints)), differs=differs)


def _refused(rehearsal: Rehearsal) -> Iterator[str]:
    """Steps that weren't answered as the solution expects: such a plan proves nothing."""
    envelope = rehearsal.pack.envelope
    for number, done in enumerate(rehearsal.steps):
        if not isinstance(done.step, step_kinds.CallStep):
            continue
        ok = bool(done.output.get(envelope.ok))
        code = done.output.get(envelope.error_code) if envelope.error_code is not None else None
        wanted = done.step.expect
        if ok != wanted.ok or wanted.error_code not in (None, code):
            told = "ok" if ok else f"refused with {code}"
            yield f"step {number}, {done.tool}, is {told}, which the solution doesn't expect"
