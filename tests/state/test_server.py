"""A real service on loopback: starting, failing to start, dying, stopping."""

from __future__ import annotations

import os
import queue
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import sentinel

import httpx
import pytest

from mivas.errors import StateError
from mivas.pack import Pack
from mivas.state import running_service, serve

START_S = 60
BOOK = "/tools/schedule_appointment"


def book(url: str, call_id: str, date: str) -> httpx.Response:
    return httpx.post(url + BOOK, json={"arguments": {"date": date}}, headers={"X-Mivas-Call-Id": call_id}, timeout=30)


@contextmanager
def serving_process(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`mivas serve` in a process of its own, and its URL once it is ready."""
    script = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from mivas.cli import main; main()"
    )
    command = [sys.executable, "-c", script, "serve", "control-industry", "--port", "0", "--data-dir", str(folder)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, "INDUSTRY": ""})
    lines: queue.Queue[str] = queue.Queue()
    assert process.stderr is not None
    stderr = process.stderr
    threading.Thread(target=lambda: lines.put(stderr.readline()), daemon=True).start()
    try:
        line = lines.get(timeout=START_S)
        url = next(word.rstrip(",") for word in line.split() if word.startswith("http://"))
        yield process, url
    finally:
        process.kill()
        process.wait(START_S)
        stderr.close()


def dates(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    try:
        return [row[0] for row in connection.execute("SELECT date FROM appointments ORDER BY id")]
    finally:
        connection.close()


def test_a_killed_service_loses_no_answered_call(pack: Pack, tmp_path: Path) -> None:
    with serving_process(tmp_path) as (process, url):
        for number in range(20):
            assert book(url, "a", str(number)).status_code == 200
        process.send_signal(signal.SIGKILL)
        process.wait(START_S)
    with running_service(pack, tmp_path) as running:
        state = httpx.get(f"{running.url}/state", params={"call_id": "a"}).json()
        assert [row["date"] for row in state["appointments"]] == [str(number) for number in range(20)]
        assert book(running.url, "a", "after").status_code == 200
    assert dates(tmp_path / "calls" / "a.db")[-1] == "after"


def test_ctrl_c_closes_the_databases_and_exits_130(tmp_path: Path) -> None:
    with serving_process(tmp_path) as (process, url):
        book(url, "a", "kept")
        process.send_signal(signal.SIGINT)
        assert process.wait(START_S) == 130
    assert [path.name for path in (tmp_path / "calls").iterdir()] == ["a.db"]
    assert dates(tmp_path / "calls" / "a.db") == ["kept"]


def test_a_race_of_real_connections_sees_whole_data(pack: Pack, tmp_path: Path) -> None:
    with running_service(pack, tmp_path) as running, ThreadPoolExecutor(64) as threads:
        posts = [threads.submit(book, running.url, "a", "x") for _ in range(64)]
        reads = [
            threads.submit(httpx.get, f"{running.url}/state", params={"call_id": "a"}, timeout=30) for _ in range(16)
        ]
        assert {post.result().status_code for post in posts} == {200}
        assert {read.result().status_code for read in reads} == {200}
        assert len(running.service.state("a")["appointments"]) == 64


def test_percent_escapes_on_the_wire(pack: Pack, tmp_path: Path) -> None:
    with running_service(pack, tmp_path) as running:
        for path in ("/state?call_id=a%2Fb", "/state?call_id=a%252Fb", "/snapshot/a%2Fb", "/snapshot/%2e%2e%2fa"):
            assert httpx.get(running.url + path).status_code == 400
        assert httpx.get(f"{running.url}/state?call_id=%20a%20").status_code == 200


def test_a_port_in_use_is_one_clear_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(StateError, match=f"127.0.0.1:{port}: port is in use") as caught:
            serve(sentinel.app, "127.0.0.1", port, ready=print)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("host", ["no-such-host.invalid", "a" * 300, "198.51.100.7"])
def test_a_host_that_is_not_ours_is_one_clear_line(host: str) -> None:
    with pytest.raises(StateError, match=r"unknown host|not an address of this machine"):
        serve(sentinel.app, host, 0, ready=print)
