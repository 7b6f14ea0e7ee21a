"""Saboteurs and floors as harnesses of their own: found by entry point, run like any other."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mivas.errors import UnknownName
from mivas.harness import known_harnesses, load_harness
from mivas.probe import FAULTS, FLOORS
from mivas.probe._floors import MOST_CALLS
from mivas.probe._saboteur import NOT_APPLICABLE
from mivas.run import LocalBackend, RunOptions, start_run

ONE_OF_EACH = ("oracle", *FLOORS, *(f"saboteur:{fault}" for fault in FAULTS), "write-at-random:7")


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_each_is_found_by_its_name(name: str) -> None:
    assert name.partition(":")[0] in known_harnesses()
    assert load_harness(name).name == name.removesuffix(":7")


@pytest.mark.parametrize(
    "name", ["saboteur", "saboteur:theft", "write-at-random:x", *(f"{floor}:1" for floor in list(FLOORS)[:4])]
)
def test_another_argument_is_refused(name: str) -> None:
    with pytest.raises(UnknownName):
        load_harness(name)


@pytest.fixture
def run(make_kiosk: Any, strong_case: Any, step: Any, tmp_path: Path) -> Any:
    """`run(harness, scope)` on the strong case and one without room for a fault: (verdicts, events) by task id."""
    kiosk = make_kiosk(tmp_path / "kiosk")
    kiosk.add("S1-E1", *strong_case)
    kiosk.add(
        "N1-E1", [{"say": "We are open. Is there anything else?"}], [], goals=[], exit={"when": [], "say": "Bye."}
    )

    def played(harness: str, scope: Any = "enforce") -> Any:
        options = RunOptions(packs=(str(kiosk.folder),), harness=harness, scope=scope)
        root = tmp_path / f"run-{harness.replace(':', '-')}-{len(list(tmp_path.iterdir()))}"
        result = start_run(
            options,
            root,
            LocalBackend(),
            started_utc=datetime(2026, 1, 1, tzinfo=UTC),
            command="t",
            watch=lambda _: None,
        )
        return {
            verdict["task_id"]: (verdict, [json.loads(line) for line in (root / record["files"]["events"]).open()])
            for record, verdict in zip(result.records, result.verdicts, strict=True)
        }

    return played


def test_a_saboteur_runs_like_any_harness(run: Any) -> None:
    verdict, events = run("saboteur:lost-write")["S1-E1"]
    assert (verdict["mark"], verdict["tools"]["missing"], verdict["database"]["passed"]) == ("FAIL", ["order"], False)
    assert not [event for event in events if event["type"] == "note"]


def test_where_a_fault_has_no_room_the_call_is_walked_as_it_should_be_and_noted(run: Any) -> None:
    verdict, events = run("saboteur:lost-write")["N1-E1"]
    assert verdict["mark"] == "pass"
    assert [event["code"] for event in events if event["type"] == "note"] == [NOT_APPLICABLE]


def test_faults_of_the_route_need_an_observed_scope(run: Any) -> None:
    assert run("saboteur:wrong-desk", "observe")["S1-E1"][0]["tools"]["missing"] == []
    assert run("saboteur:wrong-desk")["S1-E1"][0]["tools"]["missing"] != []


@pytest.mark.parametrize("name", FLOORS)
def test_a_floor_makes_no_more_calls_than_allowed_and_fails(run: Any, name: str) -> None:
    verdict, events = run(name)["S1-E1"]
    assert verdict["mark"] == "FAIL"
    assert sum(event["type"] == "tool.started" for event in events) <= MOST_CALLS


def test_a_seed_repeats_itself_and_another_differs(run: Any) -> None:
    def calls(harness: str) -> list[Any]:
        return [event["name"] for event in run(harness)["S1-E1"][1] if event["type"] == "tool.started"]

    assert calls("write-at-random") == calls("write-at-random:0") != calls("write-at-random:1")


def test_who_always_escalates_says_nothing_of_use(run: Any) -> None:
    _, events = run("escalate-always")["S1-E1"]
    assert [event["name"] for event in events if event["type"] == "tool.started"] == ["call_person"]
    assert events[-1]["reason"] == "call_person"
