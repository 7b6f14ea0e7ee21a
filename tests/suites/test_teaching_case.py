"""The teaching case C1-E1 of healthcare: what passes it, and what each plain mistake costs at which gate."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pytest

from mivas.harness import Capabilities, Desk, TextAgent
from mivas.pack import Pack, load_suite
from mivas.run import RunOptions, RunResult, plan
from mivas.run._trial import run_trial
from mivas.run._world import Ends, open_world

TASK_ID = "C1-E1"
Use: TypeAlias = tuple[str, Mapping[str, Any]]

COVERAGE: Use = ("transfer_to_coverage", {})
IDENTITY: Use = ("transfer_to_identity", {"next_intent": "coverage"})
CHECK: Use = ("check_plan_accepted", {"carrier": "aetna", "location_id": "loc_park_ave"})
CHECK_ELSEWHERE: Use = ("check_plan_accepted", {"carrier": "aetna", "location_id": "loc_windermere"})
ANSWER = "Yes, Aetna is accepted at our Park Avenue office."


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One turn of a scripted agent: tools to use, then words to say."""

    uses: Sequence[Use] = ()
    words: str


class ScriptedAgent:
    """Takes its turns from a script, whatever the caller says."""

    def __init__(self, desk: Desk, script: list[Turn]) -> None:
        self._desk = desk
        self._script = script

    async def turn(self, heard: str | None) -> str:
        turn = self._script.pop(0)
        for name, arguments in turn.uses:
            await self._desk.call(name, arguments)
        return turn.words

    async def aclose(self) -> None:
        assert not self._script, "the call ended before the script did"


class ScriptedHarness:
    """Answers one call with one script."""

    name = "scripted"
    revision = "1"
    capabilities = Capabilities(modes=("text",), clock="virtual")

    def __init__(self, script: Sequence[Turn]) -> None:
        self._script = list(script)

    def answer(self, desk: Desk) -> TextAgent:
        return ScriptedAgent(desk, self._script)


Judge: TypeAlias = Callable[..., dict[str, Any]]


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    """Play the case with a scripted agent in the real harness runtime and return its verdict line."""

    def run(*script: Turn, scope: Literal["enforce", "observe"] = "enforce") -> dict[str, Any]:
        options = RunOptions(packs=("healthcare",), harness="nop", only=(TASK_ID,), scope=scope)
        world = replace(
            open_world("healthcare", None, Ends(harness=options.harness), tmp_path), harness=ScriptedHarness(script)
        )
        try:
            (spec,) = plan(options, {"healthcare": world.suite})
            return run_trial(spec, world, options, tmp_path).verdict
        finally:
            world.service.close()

    return run


def gates(verdict: Mapping[str, Any]) -> tuple[bool, bool, bool]:
    """T, H, D."""
    return verdict["tools"]["passed"], verdict["handoff"]["passed"], verdict["database"]["passed"]


def first_reason(verdict: Mapping[str, Any]) -> str:
    """The first reason's sentence, after a look at its form."""
    text: str = verdict["reasons"][0]["text"]
    assert "\n" not in text
    assert 10 < len(text) < 120
    return text


class TestTheCase:
    def test_it_is_read_only_and_one_hop_long(self, pack: Pack) -> None:
        task = load_suite(pack).tasks[TASK_ID]
        assert task.expected_path == ("transfer_to_coverage",)
        assert [(call.name, dict(call.arguments)) for call in task.expected_calls] == [COVERAGE, CHECK]
        assert task.raw["exp_tool_calls"][1]["output"]["ok"] is True

    def test_every_locked_reply_says_when_it_must_not_be_given(self, pack: Pack) -> None:
        pins = load_suite(pack).tasks[TASK_ID].file.scripted_responses
        assert 5 <= len(pins) <= 7
        assert all("NOT when" in pin.match_phrase for pin in pins)

    def test_its_expected_state_is_the_seed(
        self, pack: Pack, play: Callable[[Path, str, Path | None], RunResult], tmp_path: Path
    ) -> None:
        result = play(tmp_path / "run", "nop", None)
        (file,) = [record["files"]["state"] for record in result.records if f"/{TASK_ID}/" in record["key"]]
        seed = json.loads((result.root / file).read_text())
        for row in (row for rows in seed.values() for row in rows):
            row.pop("created_at", None)
        assert load_suite(pack).tasks[TASK_ID].raw["exp_db_state"] == seed

    def test_the_oracle_passes_it(self, play: Callable[[Path, str, Path | None], RunResult], tmp_path: Path) -> None:
        verdicts = {verdict["task_id"]: verdict for verdict in play(tmp_path / "run", "oracle", None).verdicts}
        assert verdicts[TASK_ID]["mark"] == "pass"
        assert gates(verdicts[TASK_ID]) == (True, True, True)


class TestAgents:
    def test_transfer_check_and_an_answer_for_the_office_pass(self, judge: Judge) -> None:
        verdict = judge(Turn(uses=[COVERAGE, CHECK], words=ANSWER))
        assert (verdict["mark"], verdict["handoff"]["verdict"], verdict["reasons"]) == ("pass", "exact", [])

    def test_the_offices_name_is_as_good_as_its_id(self, judge: Judge) -> None:
        by_name: Use = ("check_plan_accepted", {"carrier": "Aetna", "location_id": "Park Avenue"})
        assert judge(Turn(uses=[COVERAGE, by_name], words=ANSWER))["mark"] == "pass"

    def test_an_answer_without_the_office_is_asked_again(self, judge: Judge) -> None:
        verdict = judge(Turn(uses=[COVERAGE, CHECK], words="Yes, we accept Aetna."), Turn(words=ANSWER))
        assert verdict["mark"] == "pass"

    def test_another_office_fails_the_tool_gate_alone(self, judge: Judge) -> None:
        verdict = judge(Turn(uses=[COVERAGE, CHECK_ELSEWHERE], words=ANSWER))
        assert gates(verdict) == (False, True, True)
        reason = first_reason(verdict)
        assert reason.startswith("check_plan_accepted: location_id")
        assert "loc_windermere" in reason
        assert "loc_park_ave" in reason

    def test_an_answer_from_memory_fails_the_tool_gate_alone(self, judge: Judge) -> None:
        verdict = judge(Turn(uses=[COVERAGE], words=ANSWER))
        assert gates(verdict) == (False, True, True)
        assert verdict["tools"]["missing"] == ["check_plan_accepted"]
        assert first_reason(verdict) == "check_plan_accepted was never called"

    def test_a_dropped_transfer_fails_path_and_call(self, judge: Judge) -> None:
        """The lock lists the transfer as a call too, so both gates see that it is missing."""
        verdict = judge(Turn(uses=[CHECK], words=ANSWER), scope="observe")
        assert gates(verdict) == (False, False, True)
        assert verdict["tools"]["hit"] == ["check_plan_accepted"]
        assert verdict["handoff"]["verdict"] == "incomplete"
        assert first_reason(verdict) == "transfer_to_coverage was never called"
        assert "no transfer at all" in verdict["reasons"][1]["text"]
        (violation,) = verdict["diagnostics"]["scope_violations"]
        assert (violation["tool"], violation["node"]) == ("check_plan_accepted", "reception")

    def test_under_enforcement_reception_cannot_check_a_plan(self, judge: Judge) -> None:
        verdict = judge(Turn(uses=[CHECK], words=ANSWER))
        assert gates(verdict) == (False, False, True)
        assert verdict["tools"]["missing"] == ["transfer_to_coverage", "check_plan_accepted"]

    def test_a_detour_over_identity_passes_as_in_order_with_extras(self, judge: Judge) -> None:
        verdict = judge(Turn(uses=[IDENTITY, COVERAGE, CHECK], words=ANSWER))
        assert (verdict["mark"], gates(verdict)) == ("pass", (True, True, True))
        assert verdict["handoff"]["verdict"] == "in_order_with_extras"
        assert verdict["r_train"] < 1

    def test_a_text_nobody_asked_for_fails_the_tool_gate_alone(self, judge: Judge) -> None:
        text: Use = ("send_sms", {"mobile_e164": "+12125550100", "template_id": "appointment_confirmation"})
        verdict = judge(Turn(uses=[COVERAGE, CHECK, ("transfer_to_scheduling", {}), text], words=ANSWER))
        assert gates(verdict) == (False, True, True)
        assert first_reason(verdict) == "send_sms was called once, and this task forbids it"

    def test_a_booking_fails_the_database_gate_alone(self, judge: Judge) -> None:
        slot = {
            "slot_id": "slot_loc_park_ave_1",
            "appointment_type_code": "NP_MED",
            "location_id": "loc_park_ave",
            "provider_id": "prov_chen",
            "start": "2026-08-24T09:00",
            "end": "2026-08-24T09:30",
        }
        booking: Use = ("book_appointment", slot)
        verdict = judge(Turn(uses=[COVERAGE, CHECK, ("transfer_to_scheduling", {}), booking], words=ANSWER))
        assert gates(verdict) == (True, True, False)
        reason = first_reason(verdict)
        assert reason.startswith("appointments:")
        assert "should not be there" in reason
