"""`mivas view`: a run as it stands now, on this machine only."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from mivas.cli._live_site import LiveSite
from mivas.cli._report_material import PackShelf
from mivas.cli.view import create_app
from mivas.report.site import safe_name


@pytest.fixture
def run_folder(mivas: Callable[..., Any], tmp_path: Path) -> Path:
    done = mivas("run", "control-industry", "--harness", "oracle", "--trials", "2", "--out", str(tmp_path / "run"))
    assert done.code == 0, done.err
    return tmp_path / "run"


def going_on(run: Path, *, trials: int, half_a_call: bool) -> Path:
    """The run as it stood earlier: fewer lines journalled, and perhaps the next call begun."""
    root = run.with_name("earlier")
    shutil.copytree(run, root)
    manifest = json.loads((root / "run.json").read_text())
    (root / "run.json").write_text(json.dumps({**manifest, "status": "running", "run_id": "earlier"}))
    later = [json.loads(line)["call_id"] for line in (root / "trials.jsonl").read_text().splitlines()[trials:]]
    for name in ("trials.jsonl", "verdicts.jsonl"):
        lines = (root / name).read_text().splitlines(keepends=True)
        (root / name).write_text("".join(lines[:trials]) + lines[trials][:20])
    for call_id in later:
        events = root / "calls" / call_id / "events.jsonl"
        kept = b"".join(events.read_bytes().splitlines(keepends=True)[:4]) + b'{"t_ms": 12'
        shutil.rmtree(events.parent)
        if half_a_call:
            events.parent.mkdir()
            events.write_bytes(kept)
    return root


def client_of(root: Path) -> TestClient:
    return TestClient(create_app(LiveSite(root, PackShelf(), [])), base_url="http://localhost")


def value(client: TestClient, path: str) -> Any:
    answer = client.get(f"/data/{path}.js")
    assert answer.status_code == 200, path
    return json.loads(answer.text[answer.text.index(",") + 1 : answer.text.rindex(")")])


def test_every_page_and_every_call_is_served(run_folder: Path) -> None:
    client = client_of(run_folder)
    for page in ("", "index.html", "tasks.html", "task.html", "call.html", "industry-control-industry.html"):
        answer = client.get(f"/{page}")
        assert answer.headers["content-type"].startswith("text/html")
        assert "assets/live.js" in answer.text
    for call in value(client, "index")["calls"]:
        shown = value(client, f"calls/{call['run']}/{call['call']}")
        assert shown["mark"] == "pass"
        for file in shown["evidence"].values():
            assert client.get(f"/{file}").content


def test_a_call_that_goes_on_can_be_read_along(run_folder: Path) -> None:
    root = going_on(run_folder, trials=1, half_a_call=True)
    client = client_of(root)
    rows = value(client, "index")["calls"]
    assert [(row["ended"], row["mark"]) for row in rows] == [(True, "pass"), (False, "wait")]
    shown = value(client, f"calls/earlier/{rows[1]['call']}")
    assert shown["sentence"] == "The call is going on."
    assert shown["items"]
    assert "The run is running" in client.get("/index.html").text


def test_the_version_moves_when_a_call_is_journalled(run_folder: Path) -> None:
    root = going_on(run_folder, trials=1, half_a_call=False)
    client = client_of(root)
    before = value(client, "live")
    assert value(client, "live") == before
    assert not before["over"]
    assert len(value(client, "index")["calls"]) == 1
    for name in ("verdicts.jsonl", "trials.jsonl"):
        shutil.copyfile(run_folder / name, root / name)
    assert value(client, "live")["version"] != before["version"]
    assert len(value(client, "index")["calls"]) == 2
    assert "2 of 2 scored calls" in client.get("/index.html").text


@pytest.mark.parametrize(
    "path",
    [
        "data/calls/run/nobody.js", "data/calls/other/C1.js", "data/nothing.js", "evidence/run/nobody/events.jsonl",
        "evidence/run/..%2f..%2frun.json", "..%2f..%2f..%2fetc%2fpasswd", "run.json", "audio/run/nobody.flac",
    ],
)  # fmt: skip
def test_nothing_else_of_the_disk_is_served(run_folder: Path, path: str) -> None:
    assert client_of(run_folder).get(f"/{path}").status_code == 404


@pytest.mark.parametrize("by", ["call id", "link"])
def test_nothing_outside_the_run_is_served_and_the_operator_hears_of_it_once(
    run_folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, by: str
) -> None:
    lines = [json.loads(line) for line in (run_folder / "trials.jsonl").read_text().splitlines()]
    shutil.move(run_folder / "calls" / lines[0]["call_id"], tmp_path / "evil")
    if by == "call id":
        lines[0]["call_id"] = "../../evil"
        (run_folder / "trials.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    else:
        (run_folder / "calls" / lines[0]["call_id"]).symlink_to(tmp_path / "evil")
    client = client_of(run_folder)
    name = safe_name(lines[0]["call_id"])
    for _ in range(2):
        shown = value(client, f"calls/run/{name}")
    assert (shown["items"], shown["evidence"], shown["audio"]) == ([], {}, None)
    assert client.get(f"/evidence/run/{name}/events.jsonl").status_code == 404
    [said] = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert "lies outside the run folder" in said


def test_another_sites_name_for_this_machine_is_refused(run_folder: Path) -> None:
    assert client_of(run_folder).get("/index.html", headers={"Host": "evil.example"}).status_code == 400


def test_a_folder_without_a_run_is_one_line(mivas: Callable[..., Any], tmp_path: Path) -> None:
    said = mivas("view", str(tmp_path))
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert "no run there" in said.err


def test_a_port_in_use_is_one_line(run_folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        program = [sys.executable, "-c", "from mivas.cli import main; main()", "view", str(run_folder), "--port", port]
        done = subprocess.run(program, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "port is in use" in done.stderr
