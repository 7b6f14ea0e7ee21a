"""Our cases against the scripted endpoint, the agent's side in wordings that the caller's authors didn't write."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from mivas.fakes import ChatDouble, ChatRequest, ScriptNotFollowed, read_conversations
from mivas.pack import Blueprint, load_pack
from mivas.run import LocalBackend, RunOptions, start_run

HERE = Path(__file__).parent
SUITE = HERE.parent / "suites" / "healthcare"
SUITE_IDS = sorted(path.name for path in SUITE.iterdir() if (path / "task.json").is_file())
CASES = [f"suite healthcare/{task_id}" for task_id in SUITE_IDS] + ["healthcare/C1-E1", "control-industry/F1-E1"]
HUNG_UP_BY_THE_AGENT = {"suite healthcare/R-E1"}
"""A human transfer is the agent's end of the call."""
CLOCK_LINE = "Today is Wednesday, 19 August 2026, 12:00."


@dataclass(frozen=True, kw_only=True)
class Played:
    """All cases, played once against one double."""

    records: Mapping[str, Mapping[str, Any]]
    verdicts: Mapping[str, Mapping[str, Any]]
    endings: Mapping[str, Mapping[str, Any]]
    calls: Mapping[str, list[ChatRequest]]
    """Requests of each case, in order."""
    complaint: str | None
    """What the double has to say of its scripts."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Every case from greeting to verdict."""
    records, verdicts, endings, calls = {}, {}, {}, {}
    script = read_conversations(HERE)
    double = ChatDouble(script)
    with pytest.MonkeyPatch.context() as patch, _kept_open(double):
        patch.setenv("NO_PROXY", "127.0.0.1")
        for case in CASES:
            name, task_id = case.removeprefix("suite ").split("/")
            options = RunOptions(
                packs=(name,),
                harness="chat:double",
                base_url=double.base_url,
                tasks=str(SUITE) if case.startswith("suite ") else None,
                only=(task_id,),
            )
            before = len(double.requests)
            root = tmp_path_factory.mktemp("chat") / "run"
            result = start_run(
                options,
                root,
                LocalBackend(),
                started_utc=datetime(2026, 8, 19, 12, tzinfo=UTC),
                command="a test",
                watch=lambda _: None,
            )
            (records[case],), (verdicts[case],) = result.records, result.verdicts
            events = (root / records[case]["files"]["events"]).read_text(encoding="utf-8").splitlines()
            endings[case] = json.loads(events[-1])
            calls[case] = double.requests[before:]
    return Played(records=records, verdicts=verdicts, endings=endings, calls=calls, complaint=script.complaint())


@contextmanager
def _kept_open(double: ChatDouble) -> Iterator[None]:
    """A double whose complaints are for the tests to make, case by case."""
    with suppress(ScriptNotFollowed), double:
        yield


@pytest.mark.parametrize("case", CASES)
def test_a_case_is_played_to_the_verdict_it_expects(played: Played, case: str) -> None:
    verdict, ending = played.verdicts[case], played.endings[case]
    assert (verdict["mark"], ending["by"]) == (
        "pass", "agent" if case in HUNG_UP_BY_THE_AGENT else "caller",
    ), (ending["reason"], verdict["reasons"])  # fmt: skip
    assert [verdict[gate]["passed"] for gate in ("tools", "handoff", "database")] == [True] * 3
    assert played.records[case]["caller_fault"] is None


def test_every_script_is_played_to_its_end(played: Played) -> None:
    assert played.complaint is None


@pytest.mark.parametrize("case", CASES)
def test_each_request_is_the_active_nodes_own(played: Played, case: str) -> None:
    blueprint = load_pack(case.removeprefix("suite ").split("/")[0]).blueprint
    assert played.calls[case]
    for request in played.calls[case]:
        node = blueprint.by_id[node_of(request, blueprint)]
        assert request.prompt == node.instructions
        assert request.prompt.count(CLOCK_LINE) == ("healthcare" in case)
        assert list(request.tools) == [tool.name for tool in node.tools]


@pytest.mark.parametrize("case", CASES)
def test_a_request_holds_all_that_was_said_and_done_before(played: Played, case: str) -> None:
    for earlier, later in pairwise(played.calls[case]):
        assert later.history[: len(earlier.history)] == earlier.history
        asked = [call["id"] for message in later.history for call in message.get("tool_calls", ())]
        answered = [message["tool_call_id"] for message in later.history if message["role"] == "tool"]
        assert asked == answered


def test_every_node_of_the_clinic_is_asked(played: Played) -> None:
    blueprint = load_pack("healthcare").blueprint
    asked = {node_of(request, blueprint) for case, all in played.calls.items() if "F1" not in case for request in all}
    assert asked == set(blueprint.by_id)


def test_no_line_is_one_that_the_callers_authors_wrote() -> None:
    lines = {
        answer["say"]
        for path in HERE.rglob("*.json")
        for answer in json.loads(path.read_text(encoding="utf-8"))["answers"]
        if "say" in answer
    }
    wordings = Path(__file__).parents[2] / "src" / "mivas" / "caller" / "data" / "wordings"
    learnt = {json.loads(line)["text"] for path in wordings.glob("*.jsonl") for line in path.open(encoding="utf-8")}
    walked = {
        step.get("say")
        for path in (Path(__file__).parents[2] / "src", SUITE)
        for solution in path.rglob("solution.json")
        for step in json.loads(solution.read_text(encoding="utf-8"))["steps"]
    }
    assert len(lines) > 50
    assert lines & (learnt | walked) == set()


def node_of(request: ChatRequest, blueprint: Blueprint) -> str:
    """The node that the transfers in a request's history lead to."""
    node = blueprint.entry
    for message in request.history:
        for call in message.get("tool_calls", ()):
            used = next(tool for tool in node.tools if tool.name == call["function"]["name"])
            node = blueprint.by_id[used.handoff_to] if used.handoff_to is not None else node
    return node.id
