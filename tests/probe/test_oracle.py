"""The oracle knows the answer, and still says a fact only after the caller did. Source: formats.md 2, design.md 4."""

from __future__ import annotations

from typing import Any

import pytest

from mivas.probe._nop import GREETING, WAITING, NopAgent
from mivas.probe._walker import ASKS_AGAIN, DONE, GIVING_UP

NODES = {"front": [">a", "."], "a": ["look", "book", "!"]}
FACTS = [
    {"id": "name", "value": "Ann Lee", "say": "Ann Lee"},
    {"id": "day", "value": "2026-08-19", "say": "the nineteenth"},
]
STEPS = [
    {"say": "Your name?"},
    {"hear": "name"},
    {"handoff": "to_a"},
    {"call": "look", "arguments": {"who": {"$fact": "name"}}, "expect": {"ok": True}, "as": "found"},
    {"say": "Which day?"},
    {"hear": "day"},
    {
        "call": "book",
        "arguments": {"slot": {"$out": "found.data.slots.0.id"}, "on": [{"$fact": "day"}]},
        "expect": {"ok": True},
    },
    {"say": "Booked."},
]
SLOTS = {"ok": True, "data": {"slots": [{"id": "s1"}]}}


@pytest.fixture
def start(make_graph: Any, make_task: Any, call_oracle: Any) -> Any:
    """`start(steps, **task_parts_or_answers)`: an oracle that walks these steps."""

    def started(steps: Any = STEPS, changes: Any = (), **answers: Any) -> Any:
        answers = {"look": SLOTS} | answers
        return call_oracle(make_graph(**NODES), make_task(solution=steps, facts=FACTS, changes=changes), **answers)

    return started


def test_the_solution_is_walked_as_the_caller_speaks(start: Any) -> None:
    call = start()
    assert call.hear(None, "I'm Ann Lee.", "On the nineteenth.") == ["Your name?", "Which day?", "Booked."]
    assert call.tools.posts == [("look", {"who": "Ann Lee"}), ("book", {"slot": "s1", "on": ["2026-08-19"]})]


def test_nothing_is_done_before_the_fact_was_said(start: Any) -> None:
    call = start()
    call.hear(None, "Why do you ask?")
    assert (call.tools.posts, call.desk.node.id) == ([], "front")


def test_facts_said_early_are_not_asked_for_twice(start: Any) -> None:
    call = start()
    said = call.hear("Ann Lee here, for the nineteenth.")
    assert said == ["Your name? Which day? Booked."]


def test_a_question_is_repeated_and_then_given_up(start: Any) -> None:
    call = start()
    said = call.hear(None, *["What?"] * (ASKS_AGAIN + 2))
    assert said == ["Your name?"] * (ASKS_AGAIN + 1) + [GIVING_UP] * 2
    assert call.tools.posts == []


def test_patience_counts_anew_for_each_fact(start: Any) -> None:
    call = start()
    call.hear(None, *["What?"] * ASKS_AGAIN)
    assert call.hear("Ann Lee", *["What?"] * ASKS_AGAIN) == ["Which day?"] * (ASKS_AGAIN + 1)


@pytest.mark.parametrize(
    ("expect", "answer"),
    [
        pytest.param({"ok": True}, {"ok": False, "error_code": "X"}, id="refused"),
        pytest.param({"ok": False}, {"ok": True}, id="not refused"),
        pytest.param(
            {"ok": False, "error_code": "A"}, {"ok": False, "error_code": "B"}, id="refused for another reason"
        ),
        pytest.param({"ok": True}, {"detail": "unknown tool"}, id="no envelope is a failure"),
        pytest.param({"ok": True}, {"success": False}, id="the other envelope"),
    ],
)
def test_an_answer_other_than_expected_makes_the_oracle_give_up(start: Any, expect: Any, answer: Any) -> None:
    call = start([{"handoff": "to_a"}, {"call": "look", "expect": expect}, {"call": "book", "expect": {"ok": True}}],
                 look=answer)  # fmt: skip
    assert call.hear(None, "Hm?") == [GIVING_UP, GIVING_UP]
    assert [name for name, _ in call.tools.posts] == ["look"]


@pytest.mark.parametrize(
    ("expect", "answer"),
    [
        ({"ok": True}, {"ok": True}),
        ({"ok": True}, {"success": True}),
        ({"ok": False}, {"ok": False, "error_code": "ANY"}),
        ({"ok": False, "error_code": "A"}, {"ok": False, "error_code": "A"}),
    ],
)
def test_an_answer_as_expected_goes_on(start: Any, expect: Any, answer: Any) -> None:
    call = start([{"handoff": "to_a"}, {"call": "look", "expect": expect}, {"say": "Good."}], look=answer)
    assert call.hear(None) == ["Good."]


@pytest.mark.parametrize(
    "step", [{"handoff": "to_b"}, {"call": "look", "expect": {"ok": True}}, {"end": "fetch_person"}]
)
def test_an_illegal_step_makes_the_oracle_give_up(start: Any, step: Any) -> None:
    call = start([step])
    assert call.hear(None) == [GIVING_UP]
    assert (call.tools.posts, call.desk.hang_up) == ([], None)


def test_an_output_that_leads_nowhere_is_sent_as_null(start: Any) -> None:
    call = start(STEPS, look={"ok": True, "data": {"slots": []}})
    call.hear("Ann Lee, the nineteenth.")
    assert call.tools.posts[1] == ("book", {"slot": None, "on": ["2026-08-19"]})


def test_a_change_of_mind_replaces_the_fact(start: Any) -> None:
    changes = [{"after": "g", "fact": "day", "to": "2026-08-20", "say": "no, the twentieth"}]
    call = start(STEPS, changes)
    call.hear(None, "Ann Lee, on the nineteenth; no, the twentieth.")
    assert call.tools.posts[1][1]["on"] == ["2026-08-20"]


def test_a_second_wait_for_a_fact_waits_for_its_changed_value(start: Any) -> None:
    changes = [{"after": "g", "fact": "day", "to": "2026-08-20", "say": "no, the twentieth"}]
    again = [*STEPS, {"say": "Another day?"}, {"hear": "day"}, {"call": "look", "arguments": {"on": {"$fact": "day"}},
             "expect": {"ok": True}}]  # fmt: skip
    call = start(again, changes)
    call.hear(None, "Ann Lee, the nineteenth.", "Hm.")
    assert len(call.tools.posts) == 2
    call.hear("no, the twentieth")
    assert call.tools.posts[2] == ("look", {"on": "2026-08-20"})


@pytest.mark.parametrize("ending", ["end_call", "fetch_person"])
def test_nothing_happens_after_the_oracle_ended_the_call(start: Any, ending: str) -> None:
    route = [{"handoff": "to_a"}] if ending == "fetch_person" else []
    call = start([*route, {"end": ending}, {"end": ending}, {"handoff": "to_a"}])
    assert call.hear(None) == [DONE]
    assert call.desk.hang_up.reason == ending
    assert len(call.tools.posts) == (ending == "fetch_person")


def test_without_a_solution_the_lock_is_walked(make_graph: Any, make_task: Any, call_oracle: Any) -> None:
    calls = ["to_a", {"name": "look", "parameters": {"q": 1}}, "fetch_person"]
    call = call_oracle(make_graph(**NODES), make_task(calls, ["to_a"]))
    call.hear(None)
    assert call.tools.posts == [("look", {"q": 1}), ("fetch_person", {})]
    assert call.desk.hang_up is not None


async def _said(agent: NopAgent, *heard: str | None) -> list[str]:
    return [await agent.turn(turn) for turn in heard]


def test_the_floor_agent_greets_and_then_asks_for_a_moment() -> None:
    import asyncio

    assert asyncio.run(_said(NopAgent(), None, "Hello?", "Hello?")) == [GREETING, WAITING, WAITING]
