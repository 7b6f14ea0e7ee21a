"""Whole runs with the `llm` caller: a scripted model words the caller's turns, the oracle listens."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mivas.cli.run import command
from mivas.fakes import ChatDouble, ChatRequest, EachTime, Refuse, Reply
from mivas.line import Note, Problem, Speech, read_events
from mivas.run import LocalBackend, RunOptions, RunResult, start_run

KEY = "sk-caller-run-canary-0123456789"
SUITE = Path(__file__).parents[1] / "suites" / "healthcare"


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for name in ("HARNESS", "INDUSTRY", "OPENAI_BASE_URL", "OPENAI_API_KEY", "MIVAS_CALLER_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def obedient(request: ChatRequest) -> Reply:
    """A model that says what must stand word for word, one sentence each, and keeps to the list otherwise."""
    (told,) = request.said("user")
    said = []
    for line in told.splitlines():
        exact = re.findall(r'EXACTLY: "([^"]*)"', line)
        wish = re.search(r"(?:Ask for this(?: once more)?|Tell them this): (.*)", line)
        free = "Yes, that is right." if "Say yes" in line else "No, thanks." if line.startswith("Decline") else "Hm."
        said.append(" ".join(exact) or (wish[1] if wish else free))
    return Reply(text="Hm, " + " ".join(said))


@pytest.fixture
def llm_run(tmp_path: Path) -> Any:
    """`llm_run(double, **options)`: a run whose caller has its words from the double."""

    def ran(double: ChatDouble, **options: Any) -> RunResult:
        given = {"packs": ("control-industry",), "harness": "oracle", "caller": "llm", "caller_model": "double"}
        return start_run(
            RunOptions(**(given | {"caller_base_url": double.base_url} | options)),
            tmp_path / "run",
            LocalBackend(None, KEY),
            started_utc=datetime(2026, 8, 19, 12, 0, tzinfo=UTC),
            command="test",
            watch=lambda at: None,
        )

    return ran


def events(result: RunResult, number: int = 0) -> list[Any]:
    return list(read_events((result.root / result.records[number]["files"]["events"]).read_bytes()))


def test_the_oracle_understands_what_the_model_words(llm_run: Any) -> None:
    with ChatDouble(EachTime(obedient)) as double:
        result = llm_run(double, packs=("healthcare",), tasks=str(SUITE), only=("C1-E1", "C3-H1", "R-M2"))
    assert {record["mark"] for record in result.records} == {"pass"}
    assert {request.authorization for request in double.requests} == {f"Bearer {KEY}"}
    caller = result.manifest["caller"]
    assert (caller["name"], caller["model"], caller["approximate"]) == ("llm", "double", False)
    assert any(event.text.startswith("Hm, ") for event in events(result, 1) if isinstance(event, Speech))


def test_words_that_stray_are_replaced_and_the_call_says_so(llm_run: Any) -> None:
    with ChatDouble(EachTime(lambda request: Reply(text="Call me on 555 0199 tomorrow, says Bob."))) as double:
        result = llm_run(double)
    assert result.records[0]["mark"] == "pass"
    told = events(result)
    assert not [event for event in told if isinstance(event, Speech) and "0199" in event.text]
    assert [event.code for event in told if isinstance(event, Note)] == ["caller_wording"] * len(double.requests)


def test_a_dead_endpoint_voids_the_trial_as_the_callers_own(llm_run: Any) -> None:
    with ChatDouble([Refuse(status=401, message=f"bad key {KEY}")]) as double:
        result = llm_run(double)
    (record,) = result.records
    assert (record["mark"], record["void_reason"]) == ("VOID", "caller_lost")
    (problem,) = (event for event in events(result) if isinstance(event, Problem))
    assert (problem.where, problem.class_) == ("caller:llm", "CallerLost")
    assert "EndpointRefused" in problem.text
    files = [path for path in result.root.rglob("*") if path.is_file()]
    assert [path for path in files if KEY.encode() in path.read_bytes()] == []


def test_by_the_command(tmp_path: Path) -> None:
    with ChatDouble(EachTime(obedient)) as double:
        told = CliRunner().invoke(
            command,
            ["control-industry", "--harness", "oracle", "--caller", "llm", "--caller-model", "double",
             "--caller-base-url", double.base_url, "--out", str(tmp_path / "run"), "--json"],
            env={"MIVAS_CALLER_API_KEY": KEY},
        )  # fmt: skip
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["marks"]["pass"] == 1
    assert {request.authorization for request in double.requests} == {f"Bearer {KEY}"}
