"""How quick is `mivas rescore`? Prints a table and writes benchmarks/results/rescore.json.

    .venv/bin/python benchmarks/rescore.py [--rounds 7] [--trials 5] [--folder DIR]

Plays a run of 216 tasks with the oracle (the twelve healthcare cases of tests/suites, each under 18 ids), then scores
it again, every time in a new process: the whole command from start to exit, once with the run's files put out of the
page cache before, once without.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SUITE = HERE.parent / "tests" / "suites" / "healthcare"
TASKS = 216
AIM_S = 5.0
RESULTS = HERE / "results" / "rescore.json"
MIVAS = (sys.executable, "-c", "from mivas.cli import main; main()")


def make_suite(folder: Path) -> int:
    """Spread the cases of the test suite over TASKS ids; returns how many cases there are."""
    cases = sorted(path for path in SUITE.iterdir() if (path / "task.json").is_file())
    for number in range(TASKS):
        source, copy = cases[number % len(cases)], number // len(cases)
        task_id = f"{source.name}{copy:02d}"
        shutil.copytree(source, folder / task_id)
        path = folder / task_id / "task.json"
        task = json.loads(path.read_text(encoding="utf-8"))
        task["task_name"] = f"{task_id}:{task['task_name'].partition(':')[2]}"
        path.write_text(json.dumps(task), encoding="utf-8")
    return len(cases)


def forget(folder: Path) -> None:
    """Put a folder's files out of the page cache, where the system lets us."""
    for path in folder.rglob("*"):
        if path.is_file():
            handle = os.open(path, os.O_RDONLY)
            try:
                os.fsync(handle)
                os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(handle)


def timed(command: Sequence[str]) -> tuple[float, str]:
    """Wall seconds of a command, and what it printed."""
    start_s = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wall_s = time.perf_counter() - start_s
    if done.returncode:
        raise SystemExit(done.stderr)
    return wall_s, done.stdout


def rounds_of(run: Path, rounds: int, *, cold: bool) -> dict[str, float]:
    """Seconds of `mivas rescore`, after one round that doesn't count. Stops when a verdict came out otherwise."""
    seconds = []
    for _ in range(rounds + 1):
        if cold:
            forget(run)
        wall_s, printed = timed((*MIVAS, "rescore", str(run), "--json"))
        document = json.loads(printed)
        if document["flipped"] or document["otherwise_changed"] or document["kept"]:
            raise SystemExit(f"scored again, the run came out otherwise: {printed[:400]}")
        seconds.append(wall_s)
    kept = seconds[1:]
    return {
        "median_s": round(statistics.median(kept), 3),
        "least_s": round(min(kept), 3),
        "most_s": round(max(kept), 3),
    }


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
    """Make the run, measure, print, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="where suite and run go; default: a temporary folder")
    options = parser.parse_args()
    on = machine()
    print(", ".join(f"{key} {value}" for key, value in on.items()))
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        suite, run = Path(name) / "suite", Path(name) / "run"
        cases = make_suite(suite)
        play = ("run", "healthcare", "--harness", "oracle", "--tasks", str(suite), "--trials", str(options.trials))
        made_s, printed = timed((*MIVAS, *play, "--concurrency", "2", "--out", str(run), "--json"))
        trials = json.loads(printed)["trials"]
        size = sum(path.stat().st_size for path in run.rglob("*") if path.is_file())
        print(f"{trials} trials of {TASKS} tasks ({cases} cases), {size / 1e6:.0f} MB, played in {made_s:.1f} s")
        found = {
            "cold, files out of the page cache": rounds_of(run, options.rounds, cold=True),
            "new process, files in the page cache": rounds_of(run, options.rounds, cold=False),
        }
    for what, value in found.items():
        print(
            f"  {what:38} {value['median_s']:6.2f} s   {value['least_s']:.2f} .. {value['most_s']:.2f}"
            f"   aim <= {AIM_S:.0f} s for 1,080"
        )
    RESULTS.parent.mkdir(exist_ok=True)
    result = {
        "command": " ".join(["python", "benchmarks/rescore.py", *sys.argv[1:]]),
        "utc": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": on,
        "subject": "mivas rescore RUN --json, whole process",
        "input": {"trials": trials, "tasks": TASKS, "cases": cases, "bytes": size},
        "rounds": options.rounds,
        "aim_s": AIM_S,
        "found": found,
    }
    RESULTS.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
