"""`mivas replay`: exit codes, streams, documents; in process and over a wire. Source: cli.md."""

from __future__ import annotations

import http.server
import json
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mivas.pack import pack_folder

Mivas = Callable[..., Any]


@pytest.fixture
def kettles(tmp_path: Path) -> Path:
    """A copy of control-industry to be given by its path, with its fixture as its suite."""
    shutil.copytree(pack_folder("control-industry"), tmp_path / "kettles")
    (tmp_path / "kettles" / "fixture").rename(tmp_path / "kettles" / "tasks")
    return tmp_path / "kettles"


@pytest.fixture
def spoil(kettles: Path) -> Callable[..., None]:
    """`spoil(key=value)`: other expectations for the copy's one case."""

    def change(**changes: Any) -> None:
        path = kettles / "tasks" / "F1-E1" / "task.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))

    return change


def test_a_pack_without_tasks_has_nothing_to_play(mivas: Mivas) -> None:
    said = mivas("replay", "control-industry", "--json")
    assert (said.code, said.err) == (0, "")
    assert json.loads(said.out) == {
        "pack": "control-industry", "mode": "completed", "attainable": 0, "total": 0, "tasks": [],
    }  # fmt: skip


def test_an_attained_suite_exits_0_with_one_document(mivas: Mivas, kettles: Path) -> None:
    said = mivas("replay", "kettles", "--json")
    assert (said.code, said.err) == (0, "")
    assert json.loads(said.out) == {
        "pack": "control-industry", "mode": "completed", "attainable": 1, "total": 1,
        "tasks": [{"task_id": "F1-E1", "attainable": True, "diff": None, "refused": []}],
    }  # fmt: skip


def test_a_pack_by_its_path_is_replayed(mivas: Mivas, kettles: Path) -> None:
    assert mivas("replay", "kettles", "--mode", "literal").code == 0


def test_a_suite_not_attained_exits_1_and_shows_the_difference(mivas: Mivas, spoil: Callable[..., None]) -> None:
    spoil(exp_db_state={"appointments": [{"id": 1, "date": "[bold]08/16/2026"}]})
    said = mivas("replay", "kettles", "--json")
    assert said.code == 1
    document = json.loads(said.out)
    assert (document["attainable"], document["total"]) == (0, 1)
    assert list(document["tasks"][0]["diff"]) == ["appointments"]
    table = mivas("replay", "kettles")
    assert table.code == 1
    assert "appointments" in table.out


def test_refused_steps_are_listed(mivas: Mivas, spoil: Callable[..., None]) -> None:
    spoil(exp_tool_calls=[{"name": "schedule_appointment", "parameters": {"date": 5}}])
    (task,) = json.loads(mivas("replay", "kettles", "--json").out)["tasks"]
    ((refused),) = task["refused"]
    assert (refused["step"], refused["name"], refused["output"]["success"]) == (0, "schedule_appointment", False)


def test_the_table_fits_80_columns(mivas: Mivas, kettles: Path) -> None:
    out = mivas("replay", "kettles").out
    assert "1 of 1 attained" in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("replay",), "Missing argument 'PACK'"),
        (("replay", "no-such-pack"), "no pack 'no-such-pack'"),
        (("replay", "control-industry", "--tasks", "nowhere"), "no such file or folder"),
        (("replay", "control-industry", "--tasks", "empty.jsonl"), "brings no tasks"),
        (("replay", "control-industry", "--mode", "guess"), "--mode"),
        (("replay", "kettles", "--url", "nonsense"), "no answer"),
        (("replay", "kettles", "--url", "http://[::1"), "no usable URL"),
        (("replay", "kettles", "--url", "http://127.0.0.1:1"), "no answer"),
    ],
)
@pytest.mark.usefixtures("kettles")
def test_bad_input_is_one_line_and_exit_2(mivas: Mivas, tmp_path: Path, arguments: tuple[str, ...], what: str) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    said = mivas(*arguments)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert said.err.startswith("mivas: ")
    assert what in said.err


class _Wire(http.server.BaseHTTPRequestHandler):
    """Answers everything with what the test put on the server."""

    def _answer(self) -> None:
        self.server.seen.append(self.headers.get("X-Mivas-Call-Id"))  # type: ignore[attr-defined]
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, body = self.server.answer  # type: ignore[attr-defined]
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = _answer

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def wire() -> Iterator[Any]:
    """A server on loopback whose every answer is `wire.answer`, a status and bytes."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Wire)
    server.seen, server.url = [], f"http://127.0.0.1:{server.server_port}"  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        pytest.param((200, b"<html>"), "answered no JSON", id="no JSON"),
        pytest.param((200, b"[]"), "is this a state service?", id="no object"),
        pytest.param((401, b'{"detail": "token"}'), "set MIVAS_OPERATOR_TOKEN", id="token wanted"),
        pytest.param((404, b'{"detail": "Not Found"}'), "is it this pack's service?", id="another service"),
    ],
)
@pytest.mark.usefixtures("kettles")
def test_a_wire_that_is_no_state_service_is_told(mivas: Mivas, wire: Any, answer: Any, what: str) -> None:
    wire.answer = answer
    said = mivas("replay", "kettles", "--url", wire.url)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert what in said.err


@pytest.mark.usefixtures("kettles")
def test_over_a_wire_each_task_gets_a_call_id_of_its_own_every_time(mivas: Mivas, wire: Any) -> None:
    wire.answer = (200, b'{"success": true, "appointments": [{"id": 1, "date": "08/15/2026"}]}')
    for _ in range(2):
        assert mivas("replay", "kettles", "--url", wire.url).code == 0
    assert len(set(wire.seen)) == 2
