"""How quick is the state service? Prints a table and writes benchmarks/results/state.json.

    .venv/bin/python benchmarks/state.py [--rounds 5] [--seconds 2] [--folder DIR]

The service runs in one process, the load comes from another, this one only looks on. Databases are on disk, in
--folder (default: the system's temporary folder).
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parent))

from _load import Lane, Load, Measured, generate, request

from mivas.errors import MivasError
from mivas.pack import load_pack
from mivas.state import open_on_folder, running_service

CONNECTIONS = 16
NEW_IDS = 64
RESULTS = Path(__file__).parent / "results" / "state.json"

Calls = Sequence[tuple[str, dict[str, Any]]]

# Read and write tools in turn. A caller is verified first, so that the tools behind the identity gate do real work.
MIXES: dict[str, tuple[Calls, Calls]] = {
    "control-industry": (
        (),
        (("schedule_appointment", {"date": "08/15/2026"}), ("schedule_appointment", {})),
    ),
    "healthcare": (
        (("verify_identity", {"full_name": "Jordan Lee", "dob": "1990-04-12", "second_factor": "10016"}),),
        (
            ("list_locations", {}),
            ("create_callback_task", {"callback_number": "+12125550100", "queue": "billing"}),
            ("check_plan_accepted", {"carrier": "aetna", "location_id": "loc_park_ave"}),
            ("create_clinical_message", {"category": "nurse_question"}),
            ("get_patient_summary", {}),
            ("send_portal_activation", {"channel": "sms"}),
            ("get_account_balance", {}),
            ("find_slots", {"location_ids": ["loc_park_ave"]}),
        ),
    ),
}


class Service:
    """The service in a process of its own."""

    def __init__(self, pack: str, folder: Path) -> None:
        self._pipe, theirs = multiprocessing.Pipe()
        self._process = multiprocessing.get_context("spawn").Process(target=_serve, args=(pack, folder, theirs))
        self._process.start()
        parts = urlsplit(self._pipe.recv())
        self.host, self.port = str(parts.hostname), int(parts.port or 0)

    def cpu_s(self) -> float:
        self._pipe.send("cpu")
        return float(self._pipe.recv())

    def stop(self) -> None:
        self._pipe.send(None)
        self._process.join()


def _serve(pack: str, folder: Path, pipe: Connection) -> None:
    with running_service(load_pack(pack), folder) as running:
        pipe.send(running.url)
        while pipe.recv() is not None:
            pipe.send(time.process_time())


class Generator:
    """The load's process."""

    def __init__(self) -> None:
        self._pipe, theirs = multiprocessing.Pipe()
        self._process = multiprocessing.get_context("spawn").Process(target=generate, args=(theirs,))
        self._process.start()

    def run(self, load: Load) -> Measured:
        self._pipe.send(load)
        measured = self._pipe.recv()
        if isinstance(measured, Exception):
            raise measured
        assert isinstance(measured, Measured)
        return measured

    def stop(self) -> None:
        self._pipe.send(None)
        self._process.join()


@contextmanager
def _temporary(parent: Path | None) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="mivas-bench-", dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def _post(call_id: str, name: str, arguments: dict[str, Any]) -> bytes:
    return request("POST", f"/tools/{name}", call_id, json.dumps({"arguments": arguments}).encode())


def _spread(values: Sequence[float], digits: int) -> dict[str, float]:
    return {
        "median": round(statistics.median(values), digits),
        "least": round(min(values), digits),
        "most": round(max(values), digits),
        "rounds": len(values),
    }


def _percentile_ms(latencies_s: Sequence[float], share: float) -> float:
    return 1000 * sorted(latencies_s)[min(len(latencies_s) - 1, int(share * len(latencies_s)))]


def _throughput(service: Service, generator: Generator, lanes: Sequence[Lane], options: argparse.Namespace) -> Any:
    """Requests per second over rounds, after one round of warm-up."""
    rates, service_cpu, generator_cpu, p95 = [], [], [], []
    for number in range(options.rounds + 1):
        before_s = service.cpu_s()
        load = Load(host=service.host, port=service.port, lanes=lanes, seconds=options.seconds)
        measured = generator.run(load)
        if number:
            rates.append(measured.answers / measured.wall_s)
            service_cpu.append(service.cpu_s() - before_s)
            generator_cpu.append(measured.cpu_s)
            p95.append(_percentile_ms(measured.latencies_s, 0.95))
    return {
        "per_s": _spread(rates, 0),
        "p95_ms": _spread(p95, 2),
        "service_cpu_s": _spread(service_cpu, 2),
        "generator_cpu_s": _spread(generator_cpu, 2),
    }


def _first_touches(service: Service, generator: Generator, options: argparse.Namespace) -> Any:
    """New ids one after the other (p50, p95), then 64 at once."""
    p50, p95, at_once_ms = [], [], []
    for number in range(options.rounds + 1):
        lane = [request("GET", "/state", f"first-{number}-{index}") for index in range(200)]
        alone = generator.run(Load(host=service.host, port=service.port, lanes=[lane], seconds=0))
        lanes = [[request("GET", "/state", f"burst-{number}-{index}")] for index in range(NEW_IDS)]
        burst = generator.run(Load(host=service.host, port=service.port, lanes=lanes, seconds=0))
        if number:
            p50.append(_percentile_ms(alone.latencies_s, 0.5))
            p95.append(_percentile_ms(alone.latencies_s, 0.95))
            at_once_ms.append(1000 * burst.wall_s)
    return {"p50_ms": _spread(p50, 2), "p95_ms": _spread(p95, 2), f"{NEW_IDS}_at_once_ms": _spread(at_once_ms, 1)}


def _in_process(pack: str, folder: Path, options: argparse.Namespace) -> Any:
    """Mixed tool calls per second through StateService.call_tool, 16 calls in turn on one thread."""
    service = open_on_folder(load_pack(pack), folder)
    before, mix = MIXES[pack]
    ids = [f"direct-{number}" for number in range(CONNECTIONS)]
    for call_id in ids:
        for name, arguments in before:
            service.call_tool(call_id, name, arguments)
    answers = {name: service.call_tool(ids[0], name, arguments).json for name, arguments in mix}
    rates = []
    for number in range(options.rounds + 1):
        started_s, count = time.perf_counter(), 0
        while time.perf_counter() - started_s < options.seconds:
            for call_id in ids:
                for name, arguments in mix:
                    service.call_tool(call_id, name, arguments)
            count += len(ids) * len(mix)
        if number:
            rates.append(count / (time.perf_counter() - started_s))
    service.close()
    refused = [name for name, answer in answers.items() if not next(iter(answer.values()))]
    return {"per_s": _spread(rates, 0), "refused_tools": refused}


def _measure(pack: str, generator: Generator, options: argparse.Namespace) -> dict[str, Any]:
    found: dict[str, Any] = {}
    before, mix = MIXES[pack]
    with _temporary(options.folder) as folder:
        service = Service(pack, folder)
        try:
            ids = [f"load-{number}" for number in range(CONNECTIONS)]
            if before:
                lanes = [[_post(call_id, *call) for call in before] for call_id in ids]
                generator.run(Load(host=service.host, port=service.port, lanes=lanes, seconds=0))
            reads = [[request("GET", "/state", call_id)] for call_id in ids]
            found["GET /state"] = _throughput(service, generator, reads, options)
            posts = [[_post(call_id, *call) for call in mix] for call_id in ids]
            found["POST /tools"] = _throughput(service, generator, posts, options)
            found["first touch"] = _first_touches(service, generator, options)
        finally:
            service.stop()
    with _temporary(options.folder) as folder:
        found["in process"] = _in_process(pack, folder, options)
    return found


def _machine() -> dict[str, Any]:
    return {
        "cpu": _cpu_model(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "load_before": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        "system": platform.system(),
        "revision": _revision(),
    }


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown"


def _revision() -> str:
    command = ["git", "describe", "--always", "--dirty"]
    try:
        return subprocess.run(
            command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _print(pack: str, found: dict[str, Any]) -> None:
    def line(what: str, aim: str, value: dict[str, float]) -> None:
        print(f"  {what:34} {value['median']:>10}   {value['least']:>9} .. {value['most']:<9}  {aim}")

    print(f"\n{pack:36} {'median':>10}   {'least .. most over rounds':24} aim")
    for route, aim in (("POST /tools", ">= 3000"), ("GET /state", ">= 1500")):
        line(f"{route}, per second, 16 connections", aim, found[route]["per_s"])
        line("  p95 latency, ms", "", found[route]["p95_ms"])
        line("  service CPU, s a round", "", found[route]["service_cpu_s"])
        line("  generator CPU, s a round", "", found[route]["generator_cpu_s"])
    line("first touch p50, ms", "", found["first touch"]["p50_ms"])
    line("first touch p95, ms", "<= 5", found["first touch"]["p95_ms"])
    line(f"{NEW_IDS} new ids at once, ms", "<= 200", found["first touch"][f"{NEW_IDS}_at_once_ms"])
    line("in process, tool calls per second", ">= 6500", found["in process"]["per_s"])
    if found["in process"]["refused_tools"]:
        print(f"  refused in the mix: {', '.join(found['in process']['refused_tools'])}")


def main() -> None:
    """Measure every installed pack that has a mix."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="length of a round")
    parser.add_argument("--folder", type=Path, help="where the databases go")
    options = parser.parse_args()
    machine = _machine()
    print(", ".join(f"{key} {value}" for key, value in machine.items()))
    packs: dict[str, Any] = {}
    generator = Generator()
    try:
        for pack in MIXES:
            try:
                load_pack(pack)
            except MivasError as error:
                print(f"\n{pack}: left out ({error})")
                continue
            packs[pack] = _measure(pack, generator, options)
            _print(pack, packs[pack])
    finally:
        generator.stop()
    RESULTS.parent.mkdir(exist_ok=True)
    result = {
        "command": " ".join(["python", "benchmarks/state.py", *sys.argv[1:]]),
        "utc": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine,
        "rounds": options.rounds,
        "seconds": options.seconds,
        "packs": packs,
    }
    RESULTS.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
