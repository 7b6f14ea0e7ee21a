"""How many verdicts a second does one core give? Prints a table and writes benchmarks/results/verify.json.

    .venv/bin/python benchmarks/verify.py [--rounds 7] [--verdicts 4000]

Times the plain `mivas.verify.verify(...)`, nothing prepared but the pack's compiled scoring rules and its tool schemas.
Every verdict gets objects of its own, parsed from JSON text before the clock starts; nothing is kept between verdicts.
Trials are perfect: every expected call and hop, offsets, outcomes, a dump. In every other trial one row of one compared
table is changed in one column, so that half of the verdicts must find and explain a difference. Tasks are the public
samples where they are present ($MIVAS_REFERENCE, or ../shared/reference), else our own.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mivas.pack import Scoring
from mivas.pack._scoring import read_scoring
from mivas.verify import verifier_revision, verify

ROOT = Path(__file__).parent.parent
RESULTS = Path(__file__).parent / "results" / "verify.json"
SAMPLES = Path(os.environ.get("MIVAS_REFERENCE") or ROOT.parent / "shared" / "reference") / "tasks"
OWN = ROOT / "tests" / "suites"
TEST_SCHEMAS = ROOT / "tests" / "verify" / "tool_schemas"
INDUSTRIES = ROOT / "src" / "mivas" / "industries"
PACKS = ("healthcare", "legal", "customer-support")
BATCH = 200
_SHOWN = (
    "subject", "input", "rounds", "verdicts_per_s", "verdicts_per_cpu_s", "packs_per_cpu_s", "marks", "python", "cores",
    "revision",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One task with a perfect trial of it, as JSON texts."""

    name: str
    task: str
    result: str
    states: tuple[str, ...]
    """Dumps: first the locked one, then variants with one row changed."""
    scoring: Scoring
    schemas: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """What a round came to."""

    per_s: float
    """Verdicts a second of wall time."""
    per_cpu_s: float
    """Verdicts a second of processor time: what one core gives when nobody else wants it."""
    marks: Mapping[str, int]


def main() -> None:
    options = _options()
    cases, subject = _cases()
    rounds = [_round(cases, options.verdicts, seed) for seed in range(-1, options.rounds)][1:]  # the first warms up
    report = {
        "benchmark": "verify",
        "command": f"python benchmarks/verify.py --rounds {options.rounds} --verdicts {options.verdicts}",
        "subject": f"mivas.verify.verify over perfect trials of {len(cases)} {subject}, half with one row changed",
        "input": f"{options.verdicts} verdicts a round, objects freshly parsed outside the clock, no cache",
        "rounds": options.rounds,
        "verdicts_per_s": _spread([one.per_s for one in rounds]),
        "verdicts_per_cpu_s": _spread([one.per_cpu_s for one in rounds]),
        "packs_per_cpu_s": {
            pack: _spread([_round(own, 1000, seed).per_cpu_s for seed in range(3)])["median"]
            for pack in PACKS
            if (own := [one for one in cases if one.name.startswith(pack)])
        },
        "marks": rounds[-1].marks,
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "machine": platform.machine(),
        "revision": _revision(),
        "verifier_revision": verifier_revision(),
        "measured_utc": datetime.now(UTC).strftime("%Y-%m-%dT%H:%MZ"),
    }
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    for key in _SHOWN:
        print(f"{key:20} {report[key]}")


def _spread(rates: Sequence[float]) -> dict[str, int]:
    return {"median": round(statistics.median(rates)), "lowest": round(min(rates)), "highest": round(max(rates))}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Verdicts a second on one core.")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--verdicts", type=int, default=4000)
    return parser.parse_args()


def _round(cases: Sequence[Case], verdicts: int, seed: int) -> Round:
    """Verdicts a second, and what they were. Parsed and judged in small batches, so that no heap of inputs piles up."""
    marks: dict[str, int] = {}
    wall_s = cpu_s = 0.0
    for first in range(0, verdicts, BATCH):
        inputs = [_parsed(cases[(at // 2) % len(cases)], at, seed) for at in range(first, min(first + BATCH, verdicts))]
        gc.collect()
        start_s, start_cpu_s = time.perf_counter(), time.process_time()
        judged = [verify(**keywords).mark for keywords in inputs]
        wall_s += time.perf_counter() - start_s
        cpu_s += time.process_time() - start_cpu_s
        for mark in judged:
            marks[mark] = marks.get(mark, 0) + 1
    return Round(per_s=verdicts / wall_s, per_cpu_s=verdicts / cpu_s, marks=marks)


def _parsed(case: Case, at: int, seed: int) -> dict[str, Any]:
    changed = at % 2
    state = case.states[1 + (at + seed) % (len(case.states) - 1)] if changed else case.states[0]
    return {
        "task": json.loads(case.task),
        "result": json.loads(case.result),
        "state": json.loads(state),
        "scoring": case.scoring,
        "tool_schemas": case.schemas,
    }


def _cases() -> tuple[list[Case], str]:
    if any(SAMPLES.glob("*/*/task.json")):
        return [one for pack in PACKS for one in _pack_cases(pack, SAMPLES / pack)], "public sample tasks"
    return list(_pack_cases("healthcare", OWN / "healthcare")), "tasks of our own"


def _pack_cases(pack: str, folder: Path) -> Iterator[Case]:
    home = INDUSTRIES / pack.replace("-", "_")
    scoring, schemas = read_scoring(home / "scoring.json"), _schemas(pack, home)
    for path in sorted(folder.glob("*/task.json")):
        task = json.loads(path.read_text(encoding="utf-8"))
        changed = list(_one_row_changed(task["exp_db_state"], scoring))
        if not changed:
            print(f"{pack}/{path.parent.name}: locks no row that counts, left out", file=sys.stderr)
            continue
        yield Case(
            name=f"{pack}/{path.parent.name}",
            task=json.dumps(task),
            result=json.dumps(_perfect(task)),
            states=(json.dumps(task["exp_db_state"]), *map(json.dumps, changed)),
            scoring=scoring,
            schemas=schemas,
        )


def _schemas(pack: str, home: Path) -> dict[str, Any]:
    """Input schemas by tool: the pack's own, or those the tests keep while a pack has none."""
    own = home / "tools.json"
    if own.exists():
        return {tool["name"]: tool["inputSchema"] for tool in json.loads(own.read_text(encoding="utf-8"))["tools"]}
    kept = TEST_SCHEMAS / f"{pack}.json"
    return dict(json.loads(kept.read_text(encoding="utf-8"))) if kept.exists() else {}


def _perfect(task: Mapping[str, Any]) -> dict[str, Any]:
    """A result that meets every expectation: hops first, then the other calls, offsets rising."""
    calls = list(task["exp_tool_calls"])
    hops = []
    for name in task["exp_handoff_path"]:
        at = next((at for at, call in enumerate(calls) if call["name"] == name), None)
        hops.append({"name": name} if at is None else calls.pop(at))
    groups = [
        {"name": call["name"],
         "actual": [{"parameters": call.get("parameters", {}), "output": call.get("output", {"ok": True, "data": {}}),
                     "start_offset_ms": 1000 * at}]}
        for at, call in enumerate((*hops, *calls))
    ]  # fmt: skip
    turns = [{"role": "AGENT", "text": "How can I help?"}, {"role": "CALLER", "text": "I have a question."}] * 8
    return {"id": "x", "status": "COMPLETED", "tool_calls": groups, "transcript": turns}


def _one_row_changed(state: Mapping[str, Any], scoring: Scoring) -> Iterator[dict[str, Any]]:
    """The dump, over and over, each time with another row of a compared table changed in a column that counts."""
    for table, rule in scoring.tables.items():
        for at, row in enumerate(state.get(table) or ()):
            columns = [key for key, value in row.items() if key not in rule.drop and value not in (None, "")]
            if columns:
                column = columns[at % len(columns)]
                dump = json.loads(json.dumps(state))
                dump[table][at][column] = "changed" if isinstance(row[column], str) else 987_654
                yield dump


def _revision() -> str:
    done = subprocess.run(
        ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or "unknown"


if __name__ == "__main__":
    main()
