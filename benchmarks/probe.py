"""How quick is `mivas probe`? Prints a table and writes benchmarks/results/probe.json.

    .venv/bin/python benchmarks/probe.py [--rounds 3]

Probes the 72 cases of healthcare in a new process each time: oracle, every fact left out in turn, every saboteur,
every floor agent, lint and coverage. Wall time depends on who else uses the machine; the processor's time, of all
processes together, does so much less.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
CASES = 72
AIM_S = 30.0
RESULTS = HERE / "results" / "probe.json"
MIVAS = (sys.executable, "-c", "from mivas.cli import main; main()")


def probed() -> tuple[float, float, dict[str, Any]]:
    """Wall and processor seconds of one probe, and its document. Stops when the suite isn't sound."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start_s = time.perf_counter()
    command = (*MIVAS, "probe", "healthcare", "--json")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wall_s = time.perf_counter() - start_s
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if not done.stdout:
        raise SystemExit(done.stderr)
    document = json.loads(done.stdout)
    if document["problems"] or document["attainable"] != CASES:
        raise SystemExit(f"not sound: {document['problems'][:3]}")
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall_s, cpu_s, document


def trials(document: dict[str, Any]) -> int:
    """Calls that one probe makes."""
    sabotaged = sum(one["applicable"] for one in document["saboteurs"].values())
    return int(CASES * (1 + len(document["floors"])) + document["necessary"]["tested"] + sabotaged)


def spread(seconds: list[float]) -> dict[str, float]:
    return {
        "median_s": round(statistics.median(seconds), 2),
        "least_s": round(min(seconds), 2),
        "most_s": round(max(seconds), 2),
    }


def machine() -> dict[str, Any]:
    revision = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False, cwd=HERE
    )
    return {
        "python": platform.python_version(),
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "load_1min": round(os.getloadavg()[0], 1),
        "revision": revision.stdout.strip(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    described = machine()
    measured = [probed() for _ in range(rounds)]
    found = {
        "wall": spread([wall_s for wall_s, _, _ in measured]),
        "processor, all processes": spread([cpu_s for _, cpu_s, _ in measured]),
    }
    document = {
        "command": f"python benchmarks/probe.py --rounds {rounds}",
        "utc": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": described,
        "subject": "mivas probe healthcare --json, whole process",
        "input": {"cases": CASES, "trials": trials(measured[0][2])},
        "rounds": rounds,
        "aim_s": AIM_S,
        "found": found,
    }
    RESULTS.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    print(f"{document['subject']}: {CASES} cases, {document['input']['trials']} trials, {rounds} rounds")
    print(f"python {described['python']}, {described['cores']} cores, load {described['load_1min']}")
    for name, one in found.items():
        print(f"{name:28} median {one['median_s']:6.2f} s, {one['least_s']:.2f} to {one['most_s']:.2f} (aim {AIM_S} s)")


if __name__ == "__main__":
    main()
