"""Do all cases pass as spoken calls, and how long does that take? Writes benchmarks/results/spoken_calls.json.

    .venv/bin/python benchmarks/spoken_calls.py [--tier acoustic|voiced-text] [--ears NAME] [--without-a-fact]
        [--packs NAME ..] [--concurrency 2] [--folder DIR] [--only GLOB,..]

Plays the packs' own cases aloud with the oracle and the program caller, each over its own line. The caller's ears are
real in the acoustic tier; the oracle is told what was said. With --without-a-fact every caller lacks the first fact
that its case needs: then none may pass. The result file keeps one entry for each tier, ears and kind of run.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RESULT = HERE / "results" / "spoken_calls.json"
PACKS = ("healthcare", "legal", "customer-support")
AIMS = {"acoustic": 20.0, "voiced-text": 50.0}
"""Times real time per core."""
MIVAS = (sys.executable, "-c", "from mivas.cli import main; main()")


def forgetful_suite(pack_name: str, folder: Path) -> int:
    """Write the pack's cases with callers that lack the first fact their case needs; how many have one."""
    from mivas.pack import load_pack, load_suite
    from mivas.probe._necessary import needed_facts, without_fact

    count = 0
    for task in load_suite(load_pack(pack_name)).tasks.values():
        needed = needed_facts(task)
        if not needed or task.solution is None:
            continue
        changed = without_fact(task, needed[0])
        assert changed.caller is not None
        case = folder / task.task_id
        case.mkdir(parents=True)
        raw = json.loads(json.dumps(task.raw))
        for pin, new in zip(raw["scripted_responses"], changed.file.scripted_responses, strict=True):
            pin["response_value"] = new.response_value
        (case / "task.json").write_text(json.dumps(raw), "utf-8")
        (case / "caller.json").write_text(changed.caller.model_dump_json(exclude_none=True, by_alias=True), "utf-8")
        (case / "solution.json").write_text(task.solution.model_dump_json(exclude_none=True, by_alias=True), "utf-8")
        count += 1
    return count


def played(packs: tuple[str, ...], arguments: argparse.Namespace, out: Path, tasks: Path | None) -> dict[str, Any]:
    """One run: what it says of itself, its wall and CPU seconds."""
    command = [*MIVAS, "run", *packs, "--harness", "oracle", "--mode", "voice", "--tier", arguments.tier]
    command += ["--concurrency", str(arguments.concurrency), "--out", str(out), "--json"]
    command += ["--caller-ears", arguments.ears] if arguments.ears else []
    command += ["--only", arguments.only] if arguments.only else []
    command += ["--tasks", str(tasks)] if tasks else []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start_s = time.perf_counter()
    fresh = {name: value for name, value in os.environ.items() if name != "MIVAS_SPEECH_CACHE"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=fresh)
    wall_s = time.perf_counter() - start_s
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(done.stderr)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"document": json.loads(done.stdout), "wall_s": wall_s, "cpu_s": cpu_s, "out": str(out)}


def runs(arguments: argparse.Namespace, folder: Path) -> Iterator[dict[str, Any]]:
    """The runs that make up the measurement: one over all packs, or one a pack with callers that lack a fact."""
    if not arguments.without_a_fact:
        yield played(tuple(arguments.packs), arguments, folder / "run", None)
        return
    for pack in arguments.packs:
        suite = folder / f"suite-{pack}"
        forgetful_suite(pack, suite)
        yield played((pack,), arguments, folder / f"run-{pack}", suite)


def summed(found: list[dict[str, Any]], arguments: argparse.Namespace) -> dict[str, Any]:
    documents = [one["document"] for one in found]
    call_s, wall_s, cpu_s = (sum(one[name] for one in rows) for name, rows in (
        ("call_s", documents), ("wall_s", found), ("cpu_s", found)
    ))  # fmt: skip
    passed, failed = [], []
    manifest: dict[str, Any] = {}
    for one in found:
        manifest = json.loads((Path(one["out"]) / "run.json").read_text("utf-8"))
        for line in (Path(one["out"]) / "verdicts.jsonl").read_text("utf-8").splitlines():
            verdict = json.loads(line)
            (passed if verdict["mark"] == "pass" else failed).append(f"{verdict['pack']}/{verdict['task_id']}")
    return {
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": " ".join(["benchmarks/spoken_calls.py", *sys.argv[1:]]),
        "machine": {"cores": os.cpu_count(), "python": platform.python_version(), "processor": platform.machine()},
        "load_before": arguments.load,
        "ears": manifest["ears"],
        "voices": manifest["voices"]["agent"],
        "trials": sum(one["trials"] for one in documents),
        "passed": len(passed),
        "passed_ids": passed if arguments.without_a_fact else None,
        "failed_ids": None if arguments.without_a_fact else failed,
        "call_s": round(call_s),
        "wall_s": round(wall_s, 1),
        "cpu_s": round(cpu_s, 1),
        "times_real_time_per_core": round(call_s / cpu_s, 1),
        "aim": AIMS[arguments.tier],
        "caller_faults": sum(one["caller_faults"] for one in documents),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tier", choices=sorted(AIMS), default="acoustic")
    parser.add_argument("--ears", help="the caller's, such as whisper:tiny.en")
    parser.add_argument("--without-a-fact", action="store_true")
    parser.add_argument("--packs", nargs="+", default=list(PACKS))
    parser.add_argument("--only")
    parser.add_argument("--concurrency", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--folder", type=Path, help="keep the run folders here")
    arguments = parser.parse_args()
    arguments.load = round(os.getloadavg()[0], 1)
    with tempfile.TemporaryDirectory() as scratch:
        figures = summed(list(runs(arguments, arguments.folder or Path(scratch))), arguments)
    kind = "without a fact" if arguments.without_a_fact else "as they are"
    key = f"{arguments.tier}, {arguments.ears or 'whisper'}, {kind}" + (f", {arguments.only}" if arguments.only else "")
    if set(arguments.packs) != set(PACKS):
        key += f", {' '.join(arguments.packs)}"
    document = json.loads(RESULT.read_text("utf-8")) if RESULT.exists() else {}
    RESULT.write_text(json.dumps(document | {key: figures}, indent=1) + "\n", "utf-8")
    print(key)
    for name, value in figures.items():
        print(f"  {name}: {value}")


if __name__ == "__main__":
    main()
