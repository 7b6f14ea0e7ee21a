"""Information flow and necessity: what is read off a call, and how a caller loses a fact. Source: formats.md 2."""

from __future__ import annotations

from typing import Any

import pytest

from mivas.line import CallEnded, Event, Speech, ToolStarted
from mivas.probe._flow import ended_by, flow_faults, sent_facts
from mivas.probe._necessary import needed_facts, without_fact

FACTS = [
    {"id": "name", "value": "Ann Lee", "say": "Ann Lee"},
    {"id": "day", "value": "2026-08-19", "say": "the nineteenth", "spell": "one nine"},
    {"id": "thanks", "value": "thanks", "say": "thank you"},
]
STEPS = [
    {"hear": "name"},
    {"handoff": "to_a"},
    {"call": "look", "arguments": {"who": {"$fact": "name"}}, "expect": {"ok": True}},
    {"call": "book", "arguments": {"on": [{"$fact": "day"}], "x": {"$out": "a.b"}}, "expect": {"ok": True}},
    {"hear": "thanks"},
    {"say": "Bye."},
]


def said(text: str, role: Any = "caller") -> Event:
    return Speech(t_ms=0, role=role, text=text, start_ms=0, end_ms=1)


def sent(name: str, **arguments: Any) -> Event:
    return ToolStarted(t_ms=0, call_ref="r", kind="industry", name=name, arguments=arguments)


@pytest.fixture
def task(make_task: Any) -> Any:
    return make_task(["look", "book"], ["to_a"], solution=STEPS, facts=FACTS)


class TestFlow:
    ALL = (sent("to_a"), sent("look", who="Ann Lee"), sent("book", on=["2026-08-19"], x=1))

    def test_what_was_said_may_be_sent(self, task: Any) -> None:
        events = [said("I'm ANN  lee, on the nineteenth."), *self.ALL]
        assert flow_faults(task, events) == []
        assert sent_facts(task, events) == {"name", "day"}

    def test_a_spelling_counts_as_said(self, task: Any) -> None:
        assert flow_faults(task, [said("Ann Lee, one nine"), *self.ALL]) == []

    @pytest.mark.parametrize(
        ("events", "told"),
        [
            pytest.param([said("Ann Lee")], "book sends day as '2026-08-19'", id="never said"),
            pytest.param([said("the nineteenth"), said("Ann Lee", "agent")], "look sends name", id="said by the agent"),
        ],
    )
    def test_what_wasnt_said_is_told(self, task: Any, events: list[Event], told: str) -> None:
        (fault,) = flow_faults(task, [*events, *self.ALL])
        assert fault.startswith(told)

    def test_said_later_is_too_late(self, task: Any) -> None:
        assert len(flow_faults(task, [*self.ALL, said("Ann Lee, the nineteenth")])) == 2

    def test_another_value_than_the_one_said_is_told(self, task: Any) -> None:
        events = [said("Ann Lee, the nineteenth"), self.ALL[0], sent("look", who="Bob"), self.ALL[2]]
        assert flow_faults(task, events) == ["look sends name as 'Bob', which the caller hadn't said"]

    @pytest.mark.parametrize("events", [[sent("book")], [*ALL, sent("more")]])
    def test_other_calls_than_the_solutions_prove_nothing(self, task: Any, events: list[Event]) -> None:
        faults = flow_faults(task, [said("Ann Lee, the nineteenth"), *events])
        assert faults == ["the calls made are not the solution's, in its order"]

    def test_without_a_solution_there_is_nothing_to_prove(self, make_task: Any) -> None:
        assert flow_faults(make_task(["look"]), [sent("look")]) == []

    def test_who_ended_the_call(self) -> None:
        assert ended_by([said("x"), CallEnded(t_ms=1, by="caller", reason="")]) == "caller"
        assert ended_by([said("x")]) == "nobody"


class TestNecessity:
    def test_facts_behind_the_last_expected_step_arent_needed(self, task: Any) -> None:
        assert needed_facts(task) == ("name", "day")

    def test_nothing_is_needed_where_nothing_is_expected(self, make_task: Any) -> None:
        assert needed_facts(make_task([], [], solution=STEPS, facts=FACTS)) == ()

    def test_the_fact_and_its_words_are_gone(self, task: Any) -> None:
        caller = task.caller.model_copy(
            update={"opening": "Hi, Ann LEE here.", "exit": task.caller.exit.model_copy(update={"say": "Ann Lee"})}
        )
        less = without_fact(_with(task, caller), "name")
        assert [fact.id for fact in less.caller.facts] == ["day", "thanks"]
        assert (less.caller.opening, less.caller.exit.say) == ("Hi, here.", "Goodbye.")

    def test_words_that_stay_alone_are_kept(self, task: Any) -> None:
        less = without_fact(task, "day")
        assert [fact.say for fact in less.caller.facts] == ["Ann Lee", "thank you"]
        assert less.caller.opening is None

    def test_a_locked_reply_loses_the_words_too(self, make_task: Any) -> None:
        task = make_task(["look"], solution=STEPS, facts=FACTS)
        pin = {
            "match_type": "context",
            "match_phrase": "x",
            "response_type": "phrase",
            "response_value": "It's Ann Lee.",
        }
        file = type(task.file).model_validate({**task.raw, "scripted_responses": [pin]})
        less = without_fact(_with(task, task.caller, file), "name")
        assert [one.response_value for one in less.file.scripted_responses] == ["It's ."]

    def test_changes_and_conditions_of_the_fact_are_gone(self, make_task: Any) -> None:
        changes = [{"after": "g", "fact": "day", "to": "2026-08-20", "say": "the twentieth"}]
        task = make_task(["look"], solution=STEPS, facts=FACTS, changes=changes)
        wants = {"any": [{"value": "day", "polarity": "yes"}, {"value": "free"}]}
        program = task.caller.model_dump(exclude_none=True) | {"opening": None}
        program["goals"][0]["met_when"] = wants
        caller = type(task.caller).model_validate(program)
        less = without_fact(_with(task, caller), "day")
        assert less.caller.changes == ()
        first, second = less.caller.goals[0].met_when.any
        assert (first.any, second.value) == ((), "free")


def _with(task: Any, caller: Any, file: Any = None) -> Any:
    from dataclasses import replace

    return replace(task, caller=caller, file=file or task.file)
