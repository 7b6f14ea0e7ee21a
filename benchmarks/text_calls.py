"""How quick are whole text calls, and do they repeat? Prints a table and writes benchmarks/results/text_calls.json.

    .venv/bin/python benchmarks/text_calls.py [--rounds 2] [--trials 84] [--folder DIR] [--suites]

Plays the twelve healthcare cases of tests/suites with oracle and program caller, from greeting to verdict, in one
process on one core: the whole command from start to exit. With --suites it plays the three packs' own 216 cases, five
trials each, one process a core, and writes benchmarks/results/suites.json. Each round must leave the same bytes as
the first: events, verdicts, trials and final states.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SUITE = HERE.parent / "tests" / "suites" / "healthcare"
AIM_S_PER_1000 = 60.0
RESULTS = HERE / "results"
PACKS = ("healthcare", "legal", "customer-support")
MIVAS = (sys.executable, "-c", "from mivas.cli import main; main()")
OF_ITS_TIME = ("run.json", "state.db", ".lock")
"""Files of a run that name places, times and page layouts."""


def played(run: Path, trials: int, suites: bool) -> dict[str, Any]:
    """One run: what it says of itself, its wall and CPU seconds."""
    what = PACKS if suites else ("healthcare", "--tasks", str(SUITE))
    command = (*MIVAS, "run", *what, "--harness", "oracle", "--trials", str(trials))
    processes = str(os.cpu_count() or 1) if suites else "1"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start_s = time.perf_counter()
    done = subprocess.run(
        (*command, "--concurrency", processes, "--out", str(run), "--json"), capture_output=True, text=True, check=False
    )
    wall_s = time.perf_counter() - start_s
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(done.stderr)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"document": json.loads(done.stdout), "wall_s": wall_s, "cpu_s": cpu_s}


def digest(run: Path) -> str:
    """Of every file that must repeat."""
    sha = hashlib.sha256()
    for path in sorted(run.rglob("*")):
        if path.is_file() and path.name not in OF_ITS_TIME:
            sha.update(str(path.relative_to(run)).encode() + b"\0" + path.read_bytes())
    return sha.hexdigest()


def turns(run: Path) -> int:
    """Turns of speech in all calls."""
    return sum(path.read_bytes().count(b'"type":"speech"') for path in run.glob("calls/*/events.jsonl"))


def machine() -> dict[str, Any]:
    """What this ran on."""
    described = subprocess.run(
        ("git", "describe", "--always", "--dirty"), capture_output=True, text=True, check=False, cwd=HERE
    )
    return {
        "python": platform.python_version(),
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "load_1min": round(os.getloadavg()[0], 2),
        "revision": described.stdout.strip() or "unknown",
    }


def main() -> None:
    """Play, compare, print, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--trials", type=int, default=None, help="default: 84, with --suites 5")
    parser.add_argument("--suites", action="store_true", help="the packs' own cases")
    parser.add_argument("--folder", type=Path, help="where the runs go; default: a temporary folder")
    options = parser.parse_args()
    on = machine()
    print(", ".join(f"{key} {value}" for key, value in on.items()))
    rounds, digests, speech = [], set(), 0
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        for number in range(options.rounds):
            run = Path(name) / f"run{number}"
            rounds.append(played(run, options.trials or (5 if options.suites else 84), options.suites))
            digests.add(digest(run))
            speech = turns(run)
    calls, marks = rounds[0]["document"]["trials"], rounds[0]["document"]["marks"]
    found = {
        key: {
            "median": round(statistics.median(values), 2),
            "least": round(min(values), 2),
            "most": round(max(values), 2),
        }
        for key in ("wall_s", "cpu_s")
        for values in [[one[key] for one in rounds]]
    }
    found["calls_per_s"] = round(calls / found["wall_s"]["median"], 1)
    print(f"{calls} calls, {speech} turns of speech, marks {marks}")
    print(f"  wall {found['wall_s']} s, CPU {found['cpu_s']} s, {found['calls_per_s']} calls/s")
    print(f"  aim: {AIM_S_PER_1000 * calls / 1000:.1f} s of wall time")
    print(f"  the same bytes in {options.rounds} rounds: {len(digests) == 1}")
    RESULTS.mkdir(exist_ok=True)
    result = {
        "command": " ".join(["python", "benchmarks/text_calls.py", *sys.argv[1:]]),
        "utc": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": on,
        "subject": "mivas run, oracle, program caller: whole command, "
        + ("one process a core" if options.suites else "one process"),
        "input": {"calls": calls, "turns": speech, "marks": marks},
        "rounds": options.rounds,
        "aim_s_per_1000_calls": AIM_S_PER_1000,
        "found": found,
        "same_bytes_every_round": len(digests) == 1,
    }
    name = "suites.json" if options.suites else "text_calls.json"
    (RESULTS / name).write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
