"""The probe can fail: for every saboteur and every floor agent there is a case that lets it pass, and that is told.

One suite of weak cases, each weak in one way, beside a strong one in which nothing survives.
"""

from __future__ import annotations

from typing import Any

import pytest

from mivas.probe import FAULTS, FLOORS, ProbeReport

ITEM = {"$fact": "item"}
HELLO = [{"hear": "item"}, {"say": "May I have your name?"}, {"hear": "name"}]
CONFIRMED = {"say": "Thank you. Your order is confirmed."}
TILL = {"handoff": "to_till"}

WEAK_FOR = {
    "A1-E1": "memory",
    "A2-E1": "wrong-argument",
    "A3-E1": "lost-write",
    "A4-E1": "double-write",
    "A5-E1": "wrong-desk",
    "A6-E1": "shuffled-route",
    "A7-E1": "blank-note",
    "A8-E1": "unasked-text",
    "A9-E1": "near-name",
    "B1-E1": "leaky-write",
    "B2-E1": "extra-desk",
}
WEAK_FLOOR = {
    "C1-E1": "nop",
    "C2-E1": "escalate-always",
    "C3-E1": "read-everything",
    "C4-E1": "read-exhaustive",
    "C5-E1": "write-at-random",
}


def expected(tool: str, /, **arguments: Any) -> dict[str, Any]:
    return {"name": tool, "parameters": arguments}


@pytest.fixture(scope="module")
def report(make_kiosk: Any, strong_case: Any, step: Any, tmp_path_factory: pytest.TempPathFactory) -> ProbeReport:
    kiosk = make_kiosk(tmp_path_factory.mktemp("probe") / "kiosk")
    kiosk.add("S1-E1", *strong_case)
    look, order = step("look", item=ITEM), step("order", item=ITEM, quantity=2)
    remark = step("remark", item=ITEM, note="a present")
    who = step("who", name={"$fact": "name"})
    hat, bought = expected("look", item="hat"), expected("order", item="hat", quantity=2)
    noted = expected("remark", item="hat", note="a present")
    # What is done twice and asked for once is still there when one of the two is left out or spoilt.
    kiosk.add("A1-E1", [*HELLO, TILL, look, look, CONFIRMED], [hat], ["to_till"])
    kiosk.add("A2-E1", [*HELLO, TILL, look, look, CONFIRMED], [hat], ["to_till"])
    kiosk.add("A3-E1", [*HELLO, TILL, order, order, CONFIRMED], [bought], ["to_till"], locked=False)
    kiosk.add("A4-E1", [*HELLO, TILL, order, CONFIRMED], [bought], ["to_till"], locked=False)
    kiosk.add("A5-E1", [*HELLO, TILL, order, CONFIRMED], [bought], [])
    kiosk.add("A6-E1", [*HELLO, TILL, order, {"handoff": "to_back"}, CONFIRMED], [bought], ["to_back"])
    kiosk.add("A7-E1", [*HELLO, TILL, remark, remark, CONFIRMED], [noted], ["to_till"])
    # The desk that can text takes the call only when the caller has left.
    late = [{"hear": "thanks"}, {"handoff": "to_back"}, CONFIRMED]
    facts = [
        {"id": "item", "value": "hat", "say": "a hat", "answers": ["product"]},
        {"id": "name", "value": "Ann Lee", "say": "Ann Lee", "answers": ["name"]},
        {"id": "thanks", "value": "thanks", "say": "so much for that", "answers": []},
    ]
    kiosk.add("A8-E1", [*HELLO, TILL, order, CONFIRMED, *late], [bought], ["to_till"], facts=facts)
    kiosk.add("A9-E1", [*HELLO, TILL, who, who, CONFIRMED], [expected("who", name="Ann Lee")], ["to_till"])
    kiosk.add("B1-E1", [*HELLO, TILL, order, CONFIRMED], [bought], ["to_till"], locked=False)
    circle = ["to_till", "to_front", "to_till"]
    kiosk.add("B2-E1", [*HELLO, look, TILL, CONFIRMED], [hat], circle)
    kiosk.add("C1-E1", [*HELLO, TILL, order, CONFIRMED], [], [], locked=False)
    person = [{"say": "One moment."}, {"end": "call_person", "arguments": {"reason": "asked"}}]
    kiosk.add("C2-E1", [{"hear": "item"}, *person], [expected("call_person", reason="asked")], [])
    kiosk.add("C3-E1", [{"hear": "item"}, step("look", item="hat"), CONFIRMED], [hat], [])
    kiosk.add("C4-E1", [{"hear": "item"}, step("look", item="scarf"), CONFIRMED], [expected("look", item="scarf")], [])
    text = [{"handoff": "to_back"}, step("send_text", phone="2125550100")]
    kiosk.add("C5-E1", [{"hear": "item"}, TILL, order, *text, CONFIRMED], ["order", "send_text"], [], locked=False)
    return kiosk.report()


def test_in_the_strong_case_every_fault_has_a_place_and_none_survives(report: ProbeReport) -> None:
    (strong,) = (case for case in report.cases if case.task_id == "S1-E1")
    assert set(strong.sabotage) == set(FAULTS)
    assert {name for name, one in strong.sabotage.items() if not one.killed} == set()
    assert not any(strong.floors.values())
    assert (strong.attained, strong.faults) == (True, ())
    assert set(strong.necessary.values()) == {""}
    assert not [problem for problem in report.problems if problem.startswith("S1-E1")]


@pytest.mark.parametrize(
    ("name", "gates"),
    [
        ("memory", "T"),
        ("wrong-argument", "T"),
        ("lost-write", "TD"),
        ("double-write", "D"),
        ("wrong-desk", "H"),
        ("shuffled-route", "H"),
        ("blank-note", "T"),
        ("unasked-text", "T"),
        ("near-name", "T"),
        ("leaky-write", "D"),
        ("extra-desk", ""),
    ],
)
def test_each_fault_is_killed_by_its_own_gate_alone(report: ProbeReport, name: str, gates: str) -> None:
    (strong,) = (case for case in report.cases if case.task_id == "S1-E1")
    assert strong.sabotage[name].gates == gates


@pytest.mark.parametrize(("task_id", "name"), WEAK_FOR.items())
def test_a_saboteur_survives_a_weak_case_and_the_probe_says_so(report: ProbeReport, task_id: str, name: str) -> None:
    assert task_id in {survivor["task_id"] for survivor in report.document()["saboteurs"][name]["survived"]}
    assert any(problem.startswith(f"{task_id}: {name} survives") for problem in report.problems)


@pytest.mark.parametrize(("task_id", "name"), WEAK_FLOOR.items())
def test_a_floor_agent_passes_a_weak_case_and_the_probe_says_so(report: ProbeReport, task_id: str, name: str) -> None:
    assert task_id in report.document()["floors"][name]["task_ids"]
    assert any(problem.startswith(f"{task_id}: {name} survives") for problem in report.problems)


def test_every_saboteur_and_every_floor_agent_has_its_weak_case() -> None:
    assert set(WEAK_FOR.values()) == set(FAULTS)
    assert set(WEAK_FLOOR.values()) == set(FLOORS)


def test_a_gate_that_should_have_noticed_is_named(report: ProbeReport) -> None:
    survived = report.document()["saboteurs"]["lost-write"]["survived"]
    assert {"task_id": "A3-E1", "gate": "TD"} in survived
