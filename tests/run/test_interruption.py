"""Runs that are killed or interrupted, as real processes. Source: cli.md (exit codes), formats.md 6."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

TRIALS = 60
"""Enough that a signal after the fifth always meets a run in the middle."""
MIVAS = [sys.executable, "-c", "from mivas.cli import main; main()"]
STARTED: list[subprocess.Popen[str]] = []
DEADLINE_S = 60
"""Only a bound on what a broken build may take; nothing waits for it."""


def start(root: Path, concurrency: int) -> subprocess.Popen[str]:
    """A run in a process group of its own, as a terminal would have it."""
    process = subprocess.Popen(
        [*MIVAS, "run", "control-industry", "--harness", "oracle", "--trials", str(TRIALS), "--out", str(root),
         "--concurrency", str(concurrency), "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    STARTED.append(process)
    return process


@pytest.fixture(autouse=True)
def no_process_left() -> Iterator[None]:
    """Kill what a failed test leaves running."""
    yield
    for process in STARTED:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    STARTED.clear()


def ended_within_a_tick(process: subprocess.Popen[str]) -> bool:
    """Wait for the end of the process, 2 ms at most."""
    try:
        process.wait(timeout=0.002)
    except subprocess.TimeoutExpired:
        return False
    return True


def wait_for_lines(root: Path, process: subprocess.Popen[str], wanted: int) -> None:
    """Until so many trials are journalled."""
    path, deadline = root / "trials.jsonl", time.monotonic() + DEADLINE_S
    while not path.exists() or path.read_bytes().count(b"\n") < wanted:
        assert not ended_within_a_tick(process), process.communicate()[1]
        assert time.monotonic() < deadline, "no trial was journalled"


def resume(root: Path, *more: str) -> dict[str, Any]:
    done = subprocess.run(
        [*MIVAS, "run", "--resume", str(root), "--json", *more], capture_output=True, text=True, check=True
    )
    document: dict[str, Any] = json.loads(done.stdout)
    return document


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """`verdicts.jsonl` of the same run, left alone."""
    root = tmp_path_factory.mktemp("undisturbed") / "run"
    process = start(root, 1)
    process.communicate(timeout=DEADLINE_S)
    return (root / "verdicts.jsonl").read_bytes()


@pytest.mark.parametrize("concurrency", [1, 2])
def test_a_killed_run_resumes_to_the_verdicts_of_an_undisturbed_one(
    tmp_path: Path, undisturbed: bytes, concurrency: int
) -> None:
    root = tmp_path / "run"
    process = start(root, concurrency)
    wait_for_lines(root, process, 5)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=DEADLINE_S)
    done = (root / "trials.jsonl").read_bytes().count(b"\n")
    assert done < TRIALS
    assert json.loads((root / "run.json").read_text())["status"] == "running"
    document = resume(root)
    assert document["marks"]["pass"] == TRIALS
    assert (root / "verdicts.jsonl").read_bytes() == undisturbed


@pytest.mark.parametrize(
    ("concurrency", "to_all"),
    [
        pytest.param(1, False, id="one process"),
        pytest.param(2, False, id="the driver only"),
        pytest.param(2, True, id="driver and workers, as a terminal does"),
    ],
)
def test_ctrl_c_exits_130_and_leaves_a_resumable_folder(
    tmp_path: Path, undisturbed: bytes, concurrency: int, to_all: bool
) -> None:
    root = tmp_path / "run"
    process = start(root, concurrency)
    wait_for_lines(root, process, 5)
    os.killpg(process.pid, signal.SIGINT) if to_all else process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=DEADLINE_S)
    assert (process.returncode, out) == (130, "")
    assert [line for line in err.splitlines() if line] == [
        f"continue with: mivas run --resume {root}", "mivas: interrupted",
    ]  # fmt: skip
    assert json.loads((root / "run.json").read_text())["status"] == "interrupted"
    assert resume(root, "--concurrency", "1")["marks"]["pass"] == TRIALS
    assert (root / "verdicts.jsonl").read_bytes() == undisturbed


def test_ctrl_c_while_workers_start_leaves_no_traceback(tmp_path: Path) -> None:
    root = tmp_path / "run"
    process = start(root, 2)
    deadline = time.monotonic() + DEADLINE_S
    while not (root / "run.json").exists():
        assert not ended_within_a_tick(process)
        assert time.monotonic() < deadline
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == 130
    assert "Traceback" not in err


def is_worker(pid: int) -> bool:
    """Whether that process is alive and a worker: a number may be used again."""
    try:
        return "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return False


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not children.exists():
        process.kill()
        process.communicate()
        pytest.skip("this system doesn't tell a process's children")
    return [int(pid) for pid in children.read_text().split() if is_worker(int(pid))]


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="no handles on processes here")
def test_workers_die_with_their_driver(tmp_path: Path) -> None:
    root = tmp_path / "run"
    process = start(root, 2)
    wait_for_lines(root, process, 5)
    workers = workers_of(process)
    assert len(workers) == 2
    handles = [os.pidfd_open(pid) for pid in workers]
    process.kill()
    process.communicate(timeout=DEADLINE_S)
    for handle in handles:
        waiting = select.poll()  # unlike select it takes handles of any number
        waiting.register(handle, select.POLLIN)
        ended = waiting.poll(10_000)
        if not ended:
            signal.pidfd_send_signal(handle, signal.SIGKILL)
        os.close(handle)
        assert ended, "a worker outlived its driver"


def test_a_worker_that_dies_is_told_in_one_line(tmp_path: Path) -> None:
    root = tmp_path / "run"
    process = start(root, 2)
    wait_for_lines(root, process, 5)
    os.kill(workers_of(process)[0], signal.SIGKILL)
    out, err = process.communicate(timeout=DEADLINE_S)
    assert (process.returncode, out) == (2, "")
    assert err.strip() == (f"mivas: {root}: a worker process died; free memory, then continue with --resume {root}")
