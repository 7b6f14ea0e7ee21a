"""Is a suite sound? Every case attained, every needed fact needed, every cheat caught, every floor failed."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mivas.pack import Pack, Suite
from mivas.probe._case import CaseProof, Workbench, open_workbench, prove_case
from mivas.probe._coverage import Coverage, CoverageSheet
from mivas.probe._floors import FLOORS
from mivas.probe._saboteur import FAULTS
from mivas.probe._survivors import SurvivorFile
from mivas.run import SuiteSource, ctrl_c_blocked, follow_driver

ORACLE = "oracle"
"""Name under which a list of survivors accepts a case that can't be attained."""
_FEW = 4
"""Below this many cases a process pool costs more than it saves."""

Watch = Callable[[CaseProof, int], None]
"""Told of each case as it is proven, and of how many there are."""


@dataclass(frozen=True, kw_only=True)
class ProbeReport:
    """What the probe found out about a suite."""

    pack: Pack
    suite: Suite
    cases: tuple[CaseProof, ...]
    """In suite order."""
    accepted: tuple[SurvivorFile, ...] = ()
    """The checked-in list."""
    notes: tuple[str, ...] = ()
    """What the lint of the suite says, one sentence each."""

    @cached_property
    def coverage(self) -> Coverage:
        return CoverageSheet(self.pack).covered(case.touched for case in self.cases)

    @property
    def survivors(self) -> list[tuple[str, str, str]]:
        """(case, saboteur or floor, gate that should have noticed) of all that passed."""
        survived = [
            (case.task_id, name, sabotage.missed)
            for case in self.cases
            for name, sabotage in case.sabotage.items()
            if not sabotage.killed
        ]
        return survived + [(case, name, "T") for name in FLOORS for case in self.floor_passes(name)]

    def floor_passes(self, name: str) -> list[str]:
        """Cases that a floor agent passes and shouldn't: those that expect nothing are left out (scoring.md 10.3)."""
        return [case.task_id for case in self.cases if case.floors[name] and not case.expects_nothing]

    def matrix(self) -> Iterator[tuple[str, Mapping[str, str]]]:
        """(case, cell by saboteur): gates that killed it, "!" and those that missed it, "" where it has no place."""
        for case in self.cases:
            yield case.task_id, {name: _cell(case, name) for name in FAULTS}

    @property
    def expect_nothing(self) -> list[str]:
        """The slice a silent agent passes."""
        return [case.task_id for case in self.cases if case.expects_nothing]

    @property
    def problems(self) -> list[str]:
        """Why the suite isn't sound, one sentence each; [] when it is."""
        listed = {(one.case, one.saboteur) for one in self.accepted}
        probed = {case.task_id for case in self.cases}
        survived = {(case, name) for case, name, _ in self.survivors}
        survived |= {(case.task_id, ORACLE) for case in self.cases if case.faults}
        return [
            *(
                f"{case.task_id}: {fault}"
                for case in self.cases
                if (case.task_id, ORACLE) not in listed
                for fault in case.faults
            ),
            *(f"{case.task_id}: without {fact}, {why}" for case in self.cases for fact, why in _unneeded(case)),
            *(
                f"{case}: {name} survives, {gate} should have noticed"
                for case, name, gate in self.survivors
                if (case, name) not in listed
            ),
            *(
                f"{case}: {name} is on the list of survivors and isn't one"
                for case, name in sorted(listed - survived)
                if case in probed
            ),
            *self.notes,
        ]

    def document(self) -> dict[str, Any]:
        """The `--json` document of cli.md; `problems` and `expects_nothing` say why the exit code is what it is."""
        tested = [held for case in self.cases for held in case.necessary.values()]
        return {
            "pack": self.pack.id,
            "suite": self.suite.name,
            "cases": len(self.cases),
            "attainable": sum(case.attained for case in self.cases),
            "unattainable": [case.task_id for case in self.cases if not case.attained],
            "necessary": {"tested": len(tested), "held": tested.count("")},
            "saboteurs": {name: self._saboteur(name) for name in FAULTS},
            "floors": {
                name: {"passes": len(self.floor_passes(name)), "task_ids": self.floor_passes(name)} for name in FLOORS
            },
            "coverage": {kind: list(covered.count) for kind, covered in self.coverage.items()},
            "expects_nothing": self.expect_nothing,
            "problems": self.problems,
        }

    def _saboteur(self, name: str) -> dict[str, Any]:
        made = [(case.task_id, case.sabotage[name]) for case in self.cases if name in case.sabotage]
        survived = [{"task_id": task_id, "gate": one.missed} for task_id, one in made if not one.killed]
        gates = Counter(letter for _, one in made if one.killed for letter in one.gates)
        return {
            "applicable": len(made),
            "killed": len(made) - len(survived),
            "killed_by": dict(sorted(gates.items())),
            "survived": survived,
        }


def _cell(case: CaseProof, name: str) -> str:
    made = case.sabotage.get(name)
    if made is None:
        return ""
    return f"!{made.missed}" if not made.killed else made.gates or "passes"


def _unneeded(case: CaseProof) -> Iterator[tuple[str, str]]:
    return ((fact, why) for fact, why in case.necessary.items() if why)


def probe(
    pack_name: str, source: SuiteSource | None, task_ids: Sequence[str], workers: int, watch: Watch
) -> list[CaseProof]:
    """Prove cases in that many processes, or in this one.

    Args:
        pack_name: name or path the pack is loaded by.
        source: another suite than the pack's own.
        workers: 1 stays in this process.
    Returns proofs in the order of `task_ids`. Raises MivasError.
    """
    proofs: dict[str, CaseProof] = {}
    with TemporaryDirectory(prefix="mivas-probe-") as folder:
        for proof in _proofs(pack_name, source, task_ids, workers, Path(folder)):
            proofs[proof.task_id] = proof
            watch(proof, len(task_ids))
    return [proofs[task_id] for task_id in task_ids]


def _proofs(
    pack_name: str, source: SuiteSource | None, task_ids: Sequence[str], workers: int, root: Path
) -> Iterator[CaseProof]:
    if workers == 1 or len(task_ids) < _FEW:
        with open_workbench(pack_name, source, root) as bench:
            for task_id in task_ids:
                yield prove_case(bench, bench.suite.tasks[task_id])
        return
    waiting = list(reversed(task_ids))
    running: set[Future[CaseProof]] = set()
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=follow_driver)
    try:
        while waiting or running:
            while waiting and len(running) < 2 * workers:  # keeps everyone busy, and little waits after Ctrl-C
                with ctrl_c_blocked():
                    running.add(pool.submit(_in_worker, pack_name, source, waiting.pop(), root))
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@cache
def _workers_bench(pack_name: str, source: SuiteSource | None, root: Path) -> Workbench:
    """Built once a worker process, which lives for one probe."""
    return open_workbench(pack_name, source, root)


def _in_worker(pack_name: str, source: SuiteSource | None, task_id: str, root: Path) -> CaseProof:
    bench = _workers_bench(pack_name, source, root)
    return prove_case(bench, bench.suite.tasks[task_id])
