"""Everything the probe asks of one case: ordinary trials of the oracle, of each saboteur and of each floor.

No special scoring: every verdict is the run's own.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from mivas.harness import Capabilities, Desk, TextAgent
from mivas.line import Event, read_events
from mivas.pack import Pack, Suite, Task
from mivas.pack import steps as step_kinds
from mivas.probe._coverage import CoverageSheet, Touched
from mivas.probe._fault import Fault, Scope
from mivas.probe._floors import FLOORS
from mivas.probe._flow import ended_by, flow_faults, sent_facts
from mivas.probe._necessary import needed_facts, without_fact
from mivas.probe._oracle import OracleHarness, correct_steps
from mivas.probe._rehearsal import Rehearsal, rehearse
from mivas.probe._saboteur import FAULTS, PlannedHarness
from mivas.probe._stage import Stage
from mivas.probe._walker import Walker
from mivas.run import Ends, RunOptions, SuiteSource, TrialSpec, World, call_id_for, open_world, run_trial

EXTRA_HOPS = ("in_order_with_extras", "none_required")
"""How a call that took a detour should pass."""
DROPPED = "created_at"
"""Depends on the moment of a write, so no lock holds it (scoring.md 3.9)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sabotage:
    """What became of one fault in one case."""

    what: str
    killed: bool
    """Every gate that should notice did; of a detour: it passed, and the extra hops were noted."""
    gates: str
    """Letters of the gates that failed."""
    missed: str
    """Letters of the gates that should have failed and didn't, "" when killed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseProof:
    """What the probe found out about one case."""

    task_id: str
    attained: bool
    """The oracle passed with the database evaluated, and proved its flow of information."""
    expects_nothing: bool
    """Lock and solution ask for no tool: a silent agent passes, and should."""
    faults: tuple[str, ...]
    """What is wrong with the case, one sentence each."""
    necessary: Mapping[str, str]
    """Needed fact -> "" when its lack makes the case fail honestly, else what happened instead."""
    sabotage: Mapping[str, Sabotage]
    """Applicable saboteurs only."""
    floors: Mapping[str, bool]
    """Floor agent -> whether it passed."""
    touched: Touched
    """What its correct plan touches of the pack."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What one trial left behind."""

    verdict: Mapping[str, Any]
    events: Sequence[Event]
    state: Mapping[str, Any]


class Workbench:
    """Runs trials of one pack in one folder, and rehearses beside it."""

    def __init__(self, world: World, stage: Stage, root: Path) -> None:
        self._world = world
        self._root = root
        self._options = RunOptions(packs=(world.pack.id,), harness="oracle")
        self._floors = {name: make() for name, make in FLOORS.items()}
        self.pack: Pack = world.pack
        self.suite: Suite = world.suite
        self.stage = stage
        self.sheet = CoverageSheet(world.pack)

    def play(self, task: Task, harness: Any, scope: Scope = "enforce") -> Played:
        """One ordinary trial. Its folder is thrown away. Raises MivasError."""
        suite = replace(self._world.suite, tasks={task.task_id: task})
        world = replace(self._world, harness=harness, suite=suite)
        options = self._options.model_copy(update={"harness": harness.name, "scope": scope})
        call_id = call_id_for(0, self.pack.id, f"{task.task_id}-{harness.name}", 0, 1)
        spec = TrialSpec(
            pack=self.pack.id, pack_id=self.pack.id, task_id=task.task_id, trial=0, attempt=1, call_id=call_id
        )
        outcome = run_trial(spec, world, options, self._root)
        events, state = ((self._root / outcome.record["files"][part]).read_bytes() for part in ("events", "state"))
        shutil.rmtree(self._root / "calls" / call_id)
        return Played(verdict=outcome.verdict, events=tuple(read_events(events)), state=json.loads(state))

    def floors(self) -> Iterator[tuple[str, Any]]:
        """Name and harness of each floor agent."""
        yield from self._floors.items()

    def close(self) -> None:
        """Free the world and the stage. Idempotent."""
        self._world.service.close()
        self.stage.close()

    def __enter__(self) -> Workbench:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_workbench(pack_name: str, source: SuiteSource | None, root: Path) -> Workbench:
    """Load a pack and its suite, and make trials and rehearsals possible below a folder. Raises MivasError."""
    world = open_world(pack_name, source, Ends(harness="oracle"), root)
    return Workbench(world, Stage(world.pack, root), root)


def prove_case(bench: Workbench, task: Task) -> CaseProof:
    """Put one case to every test. Raises MivasError for what the user must mend (disk, pack)."""
    rehearsal = rehearse(bench.pack, task, correct_steps(bench.pack, task), bench.stage)
    oracle = bench.play(task, OracleHarness())
    broken = [*_verdict_faults(oracle.verdict), *flow_faults(task, oracle.events)]
    return CaseProof(
        task_id=task.task_id,
        attained=not broken,
        expects_nothing=_expects_nothing(task),
        faults=(*broken, *_state_faults(task, rehearsal)),
        necessary={fact: _necessity(bench, task, fact) for fact in needed_facts(task)},
        sabotage=dict(_sabotage(bench, task, rehearsal)),
        floors={name: bench.play(task, harness).verdict["mark"] == "pass" for name, harness in bench.floors()},
        touched=bench.sheet.touched(rehearsal),
    )


class _KnowsAnotherTask:
    """The oracle of the whole case, talking to a caller who knows less."""

    name, revision = "oracle", OracleHarness.revision
    capabilities = Capabilities(modes=("text",), clock="virtual", knows_answers=True)

    def __init__(self, whole: Task) -> None:
        self._whole = whole

    def answer_knowing(self, desk: Desk, task: Task, pack: Pack) -> TextAgent:  # noqa: ARG002 (it knows the whole one)
        return Walker(desk, correct_steps(pack, self._whole), self._whole, pack.envelope, strict=True)


def _necessity(bench: Workbench, task: Task, fact: str) -> str:
    """ "" when the case fails honestly with a caller who lacks the fact, else what happened instead."""
    played = bench.play(without_fact(task, fact), _KnowsAnotherTask(task))
    if fact in sent_facts(task, played.events):
        return "its value was sent all the same"
    if played.verdict["mark"] != "FAIL":
        return f"the case ends as {played.verdict['mark']}"
    by = ended_by(played.events)
    return "" if by in ("caller", "agent") else f"the call was ended by {by}"


def _sabotage(bench: Workbench, task: Task, rehearsal: Rehearsal) -> Iterator[tuple[str, Sabotage]]:
    for name, plan in FAULTS.items():
        fault = plan(rehearsal, bench.stage)
        if fault is not None:
            yield name, _caught(fault, bench.play(task, PlannedHarness(name, fault), fault.scope).verdict)


def _caught(fault: Fault, verdict: Mapping[str, Any]) -> Sabotage:
    failed = {letter for letter, gate in _GATES if verdict[gate]["passed"] is False}
    gates = "".join(letter for letter, _ in _GATES if letter in failed)
    if fault.caught_by:
        missed = "".join(min(group) for group in fault.caught_by if not group & failed)
    else:
        missed = "" if verdict["mark"] == "pass" and verdict["handoff"]["verdict"] in EXTRA_HOPS else "H"
    if verdict["mark"] not in ("pass", "FAIL"):
        gates, missed = verdict["mark"], missed or "T"
    return Sabotage(what=fault.what, killed=not missed, gates=gates, missed=missed)


_GATES = (("T", "tools"), ("H", "handoff"), ("D", "database"))


def _verdict_faults(verdict: Mapping[str, Any]) -> list[str]:
    """Why the oracle didn't attain the case."""
    if verdict["mark"] != "pass":
        reasons = "; ".join(reason["text"] for reason in verdict["reasons"]) or str(verdict["void_reason"])
        return [f"the oracle ends as {verdict['mark']}: {reasons}"]
    return ["the database wasn't evaluated"] if verdict["database"]["passed"] is None else []


def _state_faults(task: Task, rehearsal: Rehearsal) -> Iterator[str]:
    """A solution's state must be the lock's, moments of writes aside; a foreign lock is held to the gate only."""
    if task.solution is None or task.file.exp_db_state is None:
        return
    expected = {table: without_moments(rows) for table, rows in task.file.exp_db_state.items()}
    left = {table: without_moments(rows) for table, rows in rehearsal.state.items()}
    for table in sorted(set(expected) | set(left)):
        if expected.get(table) != left.get(table):
            yield f"exp_db_state.{table} isn't what the solution leaves behind; run `mivas tasks build`"


def without_moments(rows: Any) -> Any:
    """Rows of a table without the column that holds the moment of a write."""
    if not isinstance(rows, list):
        return rows
    return [
        {key: value for key, value in row.items() if key != DROPPED} if isinstance(row, dict) else row for row in rows
    ]


def _expects_nothing(task: Task) -> bool:
    if task.expected_calls or task.expected_path:
        return False
    steps: Sequence[step_kinds.Step] = task.solution.steps if task.solution is not None else ()
    return all(isinstance(step, step_kinds.SayStep | step_kinds.HearStep) for step in steps)
