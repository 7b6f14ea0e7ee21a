"""`mivas serve`: every failure to start is one line and exit code 2."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from mivas.state import only_server_of

ENVIRONMENT = {"PATH": "/usr/bin:/bin"}


def mivas(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from mivas.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=ENVIRONMENT | environment)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["nosuch"], "no pack 'nosuch'", id="unknown pack"),
        pytest.param(["control-industry", "--host", "0.0.0.0"], "set MIVAS_OPERATOR_TOKEN", id="off loopback"),
        pytest.param(["control-industry", "--port", "70000"], "--port", id="no port"),
        pytest.param(["control-industry", "--data-dir", "/dev/null/data"], "can't be written", id="no folder"),
    ],
)
def test_a_failure_to_start_is_one_line(arguments: list[str], words: str) -> None:
    done = mivas("serve", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_port_in_use_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = mivas("serve", "control-industry", "--data-dir", str(tmp_path), TOOL_SERVER_PORT=port)
    assert done.returncode == 2
    assert f"127.0.0.1:{port}: port is in use" in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_folder_of_the_database_path_is_the_default() -> None:
    done = mivas("serve", "control-industry", MIVAS_DB_PATH="/dev/null/data/industry.db")
    assert "/dev/null/data: can't be written" in done.stderr


def test_an_empty_variable_is_like_none() -> None:
    empty = {"INDUSTRY": "", "TOOL_SERVER_PORT": "", "MIVAS_DB_PATH": "", "MIVAS_OPERATOR_TOKEN": ""}
    done = mivas("serve", "--host", "0.0.0.0", **empty)
    assert "set MIVAS_OPERATOR_TOKEN" in done.stderr


def test_a_data_folder_in_use_is_one_line(tmp_path: Path) -> None:
    with only_server_of(tmp_path):
        done = mivas("serve", "healthcare", "--data-dir", str(tmp_path), "--port", "0")
    assert done.returncode == 2
    assert f"{tmp_path}: another service uses it" in done.stderr
    assert done.stderr.count("\n") == 1
