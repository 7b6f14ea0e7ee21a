"""What a pack's completion rules add to a lock's calls. Source: decision 0012, scoring.md 3.9."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from mivas.pack import Envelope, Task
from mivas.pack.completion import CompletionFile
from mivas.probe._completion import completed_calls, literal_calls
from mivas.probe._memory import CallMemory

TOKEN = {"tool": "buy", "argument": "token", "from": [{"answer": "token"}]}
LOOKUP = {
    "call": "lookup",
    "place": {"first": True},
    "arguments": {"who": [{"trait": "full_name"}], "phone": [{"trait": "phone", "digits": True}]},
}


@pytest.fixture
def complete(make_pack: Any, make_task: Any) -> Any:
    """`complete(calls, insert=, fill=, traits=, state=)`: the completed calls as (name, arguments)."""

    def completed(calls: Any, insert: Any = (), fill: Any = (), traits: Any = (), state: Any = None) -> Any:
        pack = make_pack(
            tools={"buy": ["token", "item"], "lookup": ["who", "phone"], "note": ["text"], "hold": ["slot"]},
            completion=CompletionFile.model_validate({"version": 1, "insert": insert, "fill": fill}),
        )
        return [
            (call.name, call.arguments) for call in completed_calls(pack, with_state(make_task, calls, traits, state))
        ]

    return completed


def with_state(make_task: Any, calls: Any, traits: Any, state: Any) -> Task:
    task: Task = make_task(calls)
    listed = [{"trait_name": name, "value": value} for name, value in dict(traits).items()]
    changes = {"traits": listed, "exp_db_state": state}
    return replace(task, file=type(task.file).model_validate({**task.raw, **changes}), raw={**task.raw, **changes})


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "parameters": arguments}


class TestFill:
    @pytest.mark.parametrize("sent", [{}, {"token": ""}, {"token": "  "}, {"token": None}])
    def test_what_is_missing_or_blank_is_filled(self, complete: Any, sent: Any) -> None:
        rule = {"tool": "buy", "argument": "token", "from": [{"value": "t1"}]}
        assert complete([call("buy", **sent)], fill=[rule]) == [("buy", {"token": "t1"})]

    def test_what_the_lock_says_stays(self, complete: Any) -> None:
        rule = {"tool": "buy", "argument": "token", "from": [{"value": "t1"}]}
        assert complete([call("buy", token="x")], fill=[rule]) == [("buy", {"token": "x"})]

    def test_an_argument_the_tool_does_not_declare_is_left_out(self, complete: Any) -> None:
        rule = {"tool": "buy", "argument": "colour", "from": [{"value": "red"}]}
        assert complete(["buy"], fill=[rule]) == [("buy", {})]

    def test_another_given_argument_makes_a_rule_unnecessary(self, complete: Any) -> None:
        rule = {"tool": "buy", "argument": "token", "unless_any": ["item"], "from": [{"value": "t1"}]}
        assert complete([call("buy", item="hat")], fill=[rule]) == [("buy", {"item": "hat"})]
        assert complete([call("buy", item=" ")], fill=[rule]) == [("buy", {"item": " ", "token": "t1"})]

    @pytest.mark.parametrize(
        ("sources", "value"),
        [
            pytest.param([{"trait": "phone", "digits": True}], "3235550144", id="digits of a trait"),
            pytest.param([{"trait": "phone"}], "323-555-0144", id="a trait as it stands"),
            pytest.param([{"trait": "order", "unless_trait": "phone"}], None, id="unless another trait is there"),
            pytest.param([{"trait": "none"}, {"value": 7}], 7, id="the first source that gives something"),
            pytest.param([{"value": ""}, {"trait": "phone"}], "323-555-0144", id="a blank one is passed over"),
            pytest.param([{"trait": "none"}, {"value": ""}], "", id="and taken when nothing else is there"),
            pytest.param([{"row": "notes.text"}], "first", id="a row of the expected state"),
            pytest.param([{"row": "empty.text"}], None, id="no row"),
        ],
    )
    def test_sources(self, complete: Any, sources: Any, value: Any) -> None:
        found = complete(
            ["note"],
            fill=[{"tool": "note", "argument": "text", "from": sources}],
            traits={"phone": "323-555-0144", "order": "K1"},
            state={"notes": [{"text": "first"}, {"text": "second"}], "empty": []},
        )
        assert found == [("note", {} if value is None else {"text": value})]

    def test_each_call_of_a_tool_takes_its_own_row_and_later_ones_the_last(self, complete: Any) -> None:
        rule = {"tool": "note", "argument": "text", "from": [{"row": "notes.text"}]}
        state = {"notes": [{"text": "first"}, {"text": "second"}]}
        found = complete(["note", "buy", "note", "note"], fill=[rule], state=state)
        assert [arguments.get("text") for _, arguments in found] == ["first", None, "second", "second"]


class TestInsert:
    def test_a_call_is_inserted_at_the_start_with_its_arguments(self, complete: Any) -> None:
        found = complete(["buy"], insert=[LOOKUP], traits={"full_name": "Ann Lee", "phone": "323-555-0144"})
        assert found == [("lookup", {"who": "Ann Lee", "phone": "3235550144"}), ("buy", {})]

    @pytest.mark.parametrize(
        ("listed", "rules", "order"),
        [
            pytest.param(["buy", "lookup"], [LOOKUP], ["buy", "lookup"], id="listed anywhere"),
            pytest.param(["buy"], [LOOKUP, {"call": "note", "place": {"first": True}}], ["lookup", "note", "buy"],
                         id="first ones keep the order of the rules"),
            pytest.param(["note", "buy"], [{"call": "hold", "place": {"after": "note"}}], ["note", "hold", "buy"],
                         id="after a call"),
            pytest.param(["buy"], [{"call": "hold", "place": {"after": "note"}}], ["hold", "buy"],
                         id="after one that isn't there: at the start"),
            pytest.param(["note", "buy"], [{"call": "hold", "place": {"before": "buy"}}], ["note", "hold", "buy"],
                         id="before a call"),
            pytest.param(["note"], [{"call": "hold", "place": {"before": "buy"}}], ["note"],
                         id="before one that isn't there: not at all"),
            pytest.param(["buy"], [LOOKUP, {"call": "hold", "place": {"after": "lookup"}}], ["lookup", "hold", "buy"],
                         id="a later rule sees what an earlier one inserted"),
            pytest.param(["note", "buy"], [{"call": "hold", "place": {"first": True}, "unless_listed": ["note"]}],
                         ["note", "buy"], id="unless another is listed"),
            pytest.param(["buy"], [{"call": "hold", "place": {"first": True}, "if_rows": "empty"}], ["buy"],
                         id="only when a table has a row: it hasn't"),
            pytest.param(["buy"], [{"call": "hold", "place": {"first": True}, "if_rows": "rows"}], ["hold", "buy"],
                         id="only when a table has a row: it has"),
            pytest.param(
                ["buy"],
                [{"call": "hold", "place": {"first": True},
                  "unless_row": {"table": "rows", "column": "who", "value": ""}}],
                ["buy"], id="unless a row says so"),
        ],
    )  # fmt: skip
    def test_places_and_conditions(self, complete: Any, listed: Any, rules: Any, order: Any) -> None:
        found = complete(listed, insert=rules, state={"empty": [], "rows": [{"who": ""}]})
        assert [name for name, _ in found] == order


def test_literal_calls_are_the_lock_with_the_first_alternatives(make_task: Any) -> None:
    (only,) = literal_calls(make_task([call("buy", token={"any_of": ["a", "b"]})]))
    assert (only.name, only.arguments) == ("buy", {"token": "a"})


class TestAnswers:
    ENVELOPE = Envelope(ok="ok", message="m", data="data", error_code="error_code")

    def test_the_latest_successful_answer_that_has_it_counts(self, complete: Any) -> None:
        ((_, arguments),) = complete(["buy"], fill=[TOKEN])
        memory = CallMemory(envelope=self.ENVELOPE)
        for tool, ok, token in (("hold", True, "t1"), ("note", True, "t2"), ("note", True, ""), ("hold", False, "t3")):
            memory.keep(tool, None, {"ok": ok, "data": {"token": token}})
        assert memory.resolved(arguments) == {"token": "t2"}

    def test_only_answers_of_the_named_tool_count(self, complete: Any) -> None:
        rule = {"tool": "buy", "argument": "token", "from": [{"answer": "slots.0.id", "of": "hold"}, {"value": "none"}]}
        ((_, arguments),) = complete(["buy"], fill=[rule])
        memory = CallMemory(envelope=self.ENVELOPE)
        memory.keep("note", None, {"ok": True, "data": {"slots": [{"id": "wrong"}]}})
        assert memory.resolved(arguments) == {"token": "none"}
        memory.keep("hold", None, {"ok": True, "data": {"slots": [{"id": "s1"}]}})
        assert memory.resolved(arguments) == {"token": "s1"}

    def test_flat_answers_are_their_own_data(self) -> None:
        memory = CallMemory(envelope=Envelope(ok="success", message="m", data=None, error_code=None))
        memory.keep("hold", None, {"success": True, "token": "t1"})
        assert memory.resolved({"$answer": {"paths": [["token", None]], "otherwise": None}}) == "t1"


@pytest.mark.parametrize(
    "source",
    [{}, {"trait": "a", "value": 1}, {"value": 1, "digits": True}, {"trait": "a", "of": "b"}, {"row": "no_column"}],
)
def test_a_source_has_one_form(source: Any) -> None:
    with pytest.raises(ValidationError):
        CompletionFile.model_validate({"version": 1, "fill": [{"tool": "t", "argument": "a", "from": [source]}]})


@pytest.mark.parametrize("place", [{}, {"first": True, "after": "x"}, {"first": False}])
def test_a_place_has_one_form(place: Any) -> None:
    with pytest.raises(ValidationError):
        CompletionFile.model_validate({"version": 1, "insert": [{"call": "t", "place": place}]})
