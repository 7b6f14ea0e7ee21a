"""`mivas fake`: starts, says where, and ends on Ctrl-C."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

COMMAND = (sys.executable, "-c", "from mivas.cli import main; main()", "fake")
HELLO = {"model": "double", "messages": [{"role": "user", "content": "Hello there."}]}


@contextmanager
def fake(*arguments: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The running command and its address; interrupted at the end."""
    process = subprocess.Popen((*COMMAND, *arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), process
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)


def ask(address: str) -> httpx.Response:
    with httpx.Client(trust_env=False, timeout=30) as client:
        return client.post(f"{address}/chat/completions", json=HELLO)


def test_without_a_script_it_asks_for_a_moment() -> None:
    with fake("chat") as (address, process):
        said = [ask(address).json()["choices"][0]["message"]["content"] for _ in range(2)]
    assert said == ["One moment, please."] * 2
    assert process.returncode == 0


def test_a_fault_on_demand() -> None:
    with fake("chat", "--fault", "server-error") as (address, _):
        assert ask(address).status_code == 500


def test_it_follows_scripts_and_tells_what_was_left_over(tmp_path: Path) -> None:
    script = {"version": 1, "opens": "hello there", "answers": [{"say": "Hi."}, {"say": "Bye."}]}
    (tmp_path / "short.json").write_text(json.dumps(script))
    with fake("chat", "--script", str(tmp_path)) as (address, process):
        assert ask(address).json()["choices"][0]["message"]["content"] == "Hi."
    assert process.stderr is not None
    assert process.stderr.read() == "chat: scripts not played to their end: short (1 of 2)\n"
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nothing"], "nothing"),
        (["chat", "--fault", "fire"], "no fault 'fire'; choose from too-many-requests"),
        (["chat", "--script", "nowhere"], "nowhere: holds no script"),
        (["chat", "--script", ".", "--fault", "stall"], "--fault: given together with --script"),
    ],
)
def test_what_can_not_be_is_one_line(arguments: list[str], told: str) -> None:
    done = subprocess.run((*COMMAND, *arguments), capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_port_in_use_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            (*COMMAND, "chat", "--port", str(port)), capture_output=True, text=True, check=False, timeout=60
        )
    assert done.returncode == 2
    assert f"--port {port}: can't listen" in done.stderr
