"""Our healthcare suite: sound, provable by a knowing agent, and out of reach for one that does nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from mivas.caller import check_program
from mivas.pack import Pack, Task, lint, load_pack, load_suite
from mivas.pack import steps as step_kinds
from mivas.probe import Mode, Stage, build_states, replay
from mivas.run import RunResult, SuiteSource

HERE = Path(__file__).parent
SUITE = HERE / "healthcare"
TASKS = load_suite(load_pack("healthcare"), SUITE).tasks
IDS = (
    "C1-E1", "C1-H1", "C1-M1", "C2-E1", "C2-H1", "C2-M1", "C3-H1", "C4-M1", "C5-M1", "R-E1", "R-M1", "R-M2",
)  # fmt: skip
EXPECTS_NOTHING = {"C2-E1"}
SPOKEN_FIELDS = ("required_script", "approved_script", "spoken_commitment")
Events = dict[str, list[Mapping[str, Any]]]
Play = Callable[[Path, str, Path | None], RunResult]


def marks(result: RunResult) -> dict[str, str]:
    return {verdict["task_id"]: verdict["mark"] for verdict in result.verdicts}


@pytest.fixture(scope="module")
def events(oracle_run: RunResult, events_of: Callable[[RunResult], Events]) -> Events:
    return events_of(oracle_run)


class TestFiles:
    def test_all_cases_load_without_a_warning(self, pack: Pack) -> None:
        suite = load_suite(pack, SUITE)
        assert (tuple(suite.tasks), suite.warnings) == (IDS, ())

    def test_pack_and_suite_lint_clean(self, pack: Pack) -> None:
        assert lint(pack, load_suite(pack, SUITE)) == []
        assert lint(pack, load_suite(pack)) == []

    @pytest.mark.parametrize("task_id", IDS)
    def test_a_callers_program_names_only_what_a_caller_can_hear(self, task_id: str) -> None:
        task = TASKS[task_id]
        assert task.caller is not None
        assert check_program(task.caller, task) == []

    @pytest.mark.parametrize("task_id", IDS)
    def test_every_locked_reply_has_a_condition(self, task_id: str) -> None:
        task = TASKS[task_id]
        assert task.caller is not None
        assert [pin.index for pin in task.caller.pins] == list(range(len(task.file.scripted_responses)))


class TestStates:
    def test_every_state_is_what_its_solution_leaves_behind(self) -> None:
        built = list(build_states("healthcare", SuiteSource(SUITE, None)))
        assert {one.task_id: (one.complaints, one.differs) for one in built} == dict.fromkeys(IDS, ((), False))

    @pytest.mark.parametrize("mode", ["completed", "literal"])
    def test_replaying_the_locks_alone_attains_every_state(self, mode: Mode, pack: Pack) -> None:
        with Stage(pack) as stage:
            done = list(replay(pack, load_suite(pack, SUITE), stage, mode, lambda task_id: task_id))
        assert {one.task_id: (one.attainable, one.refused) for one in done} == dict.fromkeys(IDS, (True, ()))


class TestRuns:
    def test_the_oracle_passes_every_case_by_all_three_gates(self, oracle_run: RunResult) -> None:
        gates = {
            verdict["task_id"]: tuple(verdict[gate]["passed"] for gate in ("tools", "handoff", "database"))
            for verdict in oracle_run.verdicts
        }
        assert gates == dict.fromkeys(IDS, (True, True, True))
        assert {verdict["handoff"]["verdict"] for verdict in oracle_run.verdicts} == {"exact"}

    def test_the_oracle_breaks_no_rule_of_scope_or_order(self, oracle_run: RunResult) -> None:
        for verdict in oracle_run.verdicts:
            assert verdict["diagnostics"]["scope_violations"] == []
            assert verdict["diagnostics"]["order_violations"] == []

    def test_nop_passes_only_where_nothing_is_expected(self, play: Play, tmp_path: Path) -> None:
        result = play(tmp_path / "run", "nop", SUITE)
        assert marks(result) == {name: "pass" if name in EXPECTS_NOTHING else "FAIL" for name in IDS}
        assert result.expects_nothing == {f"healthcare/{name}" for name in EXPECTS_NOTHING}

    def test_two_runs_leave_the_same_bytes(self, oracle_run: RunResult, play: Play, tmp_path: Path) -> None:
        again = play(tmp_path / "run", "oracle", SUITE)
        names = ["verdicts.jsonl", *(record["files"]["events"] for record in again.records)]
        names += [record["files"]["state"] for record in again.records]
        assert len(names) == 1 + 2 * len(IDS)
        for name in names:
            assert (again.root / name).read_bytes() == (oracle_run.root / name).read_bytes(), name

    @pytest.mark.parametrize("task_id", IDS)
    def test_a_call_ends_by_goodbye_or_transfer(self, task_id: str, events: Events) -> None:
        last = events[task_id][-1]
        expected = ("agent", "transfer_to_human") if task_id == "R-E1" else ("caller", "caller hung up")
        assert (last["type"], last["by"], last["reason"]) == ("call.ended", *expected)

    @pytest.mark.parametrize("task_id", [name for name in IDS if name != "R-E1"])
    def test_the_callers_last_words_follow_met_goals(self, task_id: str, events: Events) -> None:
        task = TASKS[task_id]
        assert task.caller is not None
        assert speech(events[task.task_id], "caller")[-1] == task.caller.exit.say


class TestInformation:
    @pytest.mark.parametrize("task_id", IDS)
    def test_a_fact_is_sent_only_after_the_caller_said_it(self, task_id: str, events: Events) -> None:
        task = TASKS[task_id]
        assert task.caller is not None
        facts = {fact.id: fact for fact in task.caller.facts}
        sent = list(tools_with_speech_before(events[task.task_id]))
        steps = list(tool_steps(task))
        assert [name for name, _, _ in sent] == [name for name, _ in steps]
        for (_, arguments, said), (_, template) in zip(sent, steps, strict=True):
            for fact_id, value in facts_in(template, arguments):
                assert value == facts[fact_id].value
                assert any(facts[fact_id].say in words for words in said), fact_id

    @pytest.mark.parametrize("task_id", IDS)
    def test_scripts_that_a_tool_returns_are_spoken_word_for_word(self, task_id: str, events: Events) -> None:
        for event, said_after in finished_with_speech_after(events[task_id]):
            data = event["output"].get("data") or {}
            scripts = [data[key] for key in SPOKEN_FIELDS if key in data] + data.get("policy_lines", [])
            for script in scripts:
                assert any(script in words for words in said_after), script


def tool_steps(task: Task) -> Iterator[tuple[str, Mapping[str, Any]]]:
    assert task.solution is not None
    for step in task.solution.steps:
        if isinstance(step, step_kinds.CallStep):
            yield step.call, step.arguments
        elif isinstance(step, step_kinds.HandoffStep):
            yield step.handoff, step.arguments
        elif isinstance(step, step_kinds.EndStep):
            yield step.end, step.arguments


def facts_in(template: Any, sent: Any) -> Iterator[tuple[str, Any]]:
    """(fact id, value that was sent in its place) of every `$fact` in a step's arguments."""
    if isinstance(template, dict) and set(template) == {"$fact"}:
        yield template["$fact"], sent
    elif isinstance(template, dict) and set(template) != {"$out"}:
        for key, value in template.items():
            yield from facts_in(value, sent[key])
    elif isinstance(template, list):
        for value, one in zip(template, sent, strict=True):
            yield from facts_in(value, one)


def speech(events: list[Mapping[str, Any]], role: str) -> list[str]:
    return [event["text"] for event in events if event["type"] == "speech" and event["role"] == role]


def tools_with_speech_before(events: list[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any], list[str]]]:
    for position, event in enumerate(events):
        if event["type"] == "tool.started":
            yield event["name"], event["arguments"], speech(events[:position], "caller")


def finished_with_speech_after(events: list[Mapping[str, Any]]) -> Iterator[tuple[Mapping[str, Any], list[str]]]:
    for position, event in enumerate(events):
        if event["type"] == "tool.finished":
            yield event, speech(events[position:], "agent")
