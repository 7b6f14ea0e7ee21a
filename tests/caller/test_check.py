"""A sound program passes, and each thing that can be wrong with one is told. Source: formats.md 3, docs/caller.md."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.caller import check_program, unknown_references
from mivas.caller._conditions import alternatives, implies
from mivas.caller._heard import Heard, holds
from mivas.pack import CallerFile, HeardFile, Task
from mivas.pack._tasks import TaskFile

TEXTS = ["The one in Windermere.", "Not before Monday, thanks.", "I'd rather not."]
TASK: dict[str, Any] = {
    "task_name": "C1-E1: x", "customer_name": "Dana Ruiz", "intent": "You want a visit on August 31st in Windermere.",
    "traits": [{"trait_name": "free_day", "value": "Monday"}], "exp_handoff_path": ["transfer_to_scheduling"],
    "exp_tool_calls": [{"name": "find_slots", "parameters": {"location_ids": ["loc_windermere"], "carrier": "aetna"}}],
    "scripted_responses": [
        {"match_type": "context", "match_phrase": text, "response_type": "phrase", "response_value": text}
        for text in TEXTS
    ],
    "metadata": {"category": "C1", "category_slug": "r", "difficulty": "easy", "audio_condition": "perfect"},
}  # fmt: skip
PROGRAM: dict[str, Any] = {
    "version": 1, "opening": "Hello, this is Dana. I need a visit on August 31st.",
    "facts": [
        {"id": "name", "value": "Dana Ruiz", "say": "Dana Ruiz", "spell": "R U I Z", "answers": ["name"]},
        {"id": "birth", "value": "1985-11-03", "say": "November third, eighty-five", "answers": ["date_of_birth"]},
        {"id": "phone", "value": "+17185550142", "say": "seven one eight, double five five, oh one four two",
         "answers": ["phone"]},
        {"id": "office", "value": "Windermere", "say": "Windermere", "answers": ["office"]},
        {"id": "plan", "value": "aetna", "say": "Aetna", "answers": ["carrier"]},
    ],
    "goals": [
        {"id": "price", "ask": ["First of all, what is the fee?"], "met_when": {"value": "amount"}, "again": "And?",
         "unless": {"value": "booked"}},
        {"id": "visit", "ask": ["Could I come on Monday?"], "again": "Is Dana Ruiz down for Monday?",
         "met_when": {"all": [{"value": "booked", "polarity": "yes"}, {"value": "office"}]}},
    ],
    "pins": [
        {"index": 0, "when": {"question": "office"}},
        {"index": 1, "when": {"any": [{"offer": "booking"}, {"offer": "callback"}]}, "not_when": {"question": "phone"}},
        {"index": 2, "when": {"offer": "callback"}},
    ],
    "changes": [{"after": "price", "fact": "plan", "to": "cigna", "say": "Sorry, it's Cigna now."}],
    "refuses": ["waitlist"],
    "exit": {"when": ["price", "visit"], "say": "See you on Monday, bye."}, "canary": "",
}  # fmt: skip


def findings(change: Callable[[dict[str, Any]], object], change_task: Callable[[dict[str, Any]], object]) -> list[str]:
    program, raw = copy.deepcopy(PROGRAM), copy.deepcopy(TASK)
    change(program)
    change_task(raw)
    task = Task(task_id="C1-E1", file=TaskFile.model_validate(raw), raw=raw)
    return check_program(CallerFile.model_validate(program), task)


def as_it_is(what: dict[str, Any]) -> None:
    """Change nothing."""


def put(*way: Any) -> Callable[[dict[str, Any]], object]:
    """Set what is at `way[:-1]` to its last part; a list is reached by number."""

    def change(what: Any) -> None:
        *path, key, value = way
        for part in path:
            what = what[part]
        what[key] = value

    return change


def test_a_sound_program_has_no_findings() -> None:
    assert findings(as_it_is, as_it_is) == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (put("facts", 0, "answers", ["shoe_size"]), "fact name: unknown question 'shoe_size'"),
        (put("refuses", ["marriage"]), "refuses: unknown offer 'marriage'"),
        (put("pins", 2, "index", 3), "pin 3: the task has 3 pins"),
        (put("pins", 2, "when", {"any": [{"offer": "x"}]}), "pin 2: unknown offer 'x'"),
        (put("pins", 1, "not_when", {"value": "x"}), "pin 1: unknown value 'x'"),
        (put("goals", 0, "met_when", {"question": "x"}), "goal price: unknown question 'x'"),
        (put("goals", 0, "unless", {"question": "x"}), "goal price: unknown question 'x'"),
        (put("exit", "when", ["nothing"]), "exit: unknown goal 'nothing'"),
        (put("changes", 0, "after", "x"), "change after 'x': unknown goal"),
        (put("changes", 0, "fact", "x"), "change of 'x': unknown fact"),
        (put("patience", {"silence_ms": 0}), "patience.silence_ms: 0 isn't in 1..3600000"),
        (put("patience", {"call_ms": 3_600_001}), "patience.call_ms: 3600001 isn't in 1..3600000"),
        (put("patience", {"dead_air_ms": 29_999}), "patience: dead_air_ms is below silence_ms"),
        (put("patience", {"repeats": 0}), "patience.repeats: 0 isn't in 1..50"),
        (put("exit", "say", " "), "exit.say: is empty"),
        (
            put("goals", 1, "met_when", {"all": [{"value": "booked", "polarity": "yes"},
                                                 {"value": "booked", "polarity": "no"}]}),
            "goal visit: nothing an agent says meets met_when",
        ),
        (put("goals", 1, "met_when", {"any": []}), "goal visit: nothing an agent says meets met_when"),
        (put("goals", 1, "met_when", {"all": []}), "goal visit: any turn meets met_when"),
        (put("goals", 0, "unless", {"value": "amount"}), "goal price: unless vetoes whatever meets met_when"),
        (put("goals", 0, "again", ""), "goal price: ask and again need words"),
        (put("pins", 0, "when", {"any": []}), "pin 0: nothing an agent says meets when"),
        (put("pins", 2, "when", {"all": []}), "pin 2: any turn meets when"),
        (
            put("pins", 1, "not_when", {"any": [{"offer": "booking"}, {"offer": "callback"}]}),
            "pin 1: not_when vetoes whatever meets when",
        ),
        (
            put("pins", 2, "when", {"all": [{"offer": "text"}, {"question": "office"}]}),
            "pin 2: pin 0 stands before it and takes every turn that it is for",
        ),
        (
            put("pins", 2, {"index": 2, "when": {"offer": "callback"}, "not_when": {"question": "phone"}}),
            "pin 2: pin 1 stands before it and takes every turn that it is for",
        ),
        (lambda what: what["pins"].pop(), "pin 2: has no condition, so its locked reply is never said"),
        (lambda what: what["pins"].append({"index": 2, "when": {"offer": "email"}}), "pin 2: has 2 conditions"),
        (put("facts", 4, "answers", []), "fact plan: answers nothing and stands in no text, so it is never said"),
        (put("facts", 3, "say", " "), "fact office: say is empty"),
        (put("facts", 0, "spell", "R U I S"), "fact name: spell has other letters than its value"),
        (put("changes", 0, "to", "aetna"), "change of 'plan': to is what the fact is already"),
        (put("facts", 1, "say", "November fourth, eighty-five"), "fact birth: say isn't its value '1985-11-03'"),
        (put("facts", 1, "say", "December third, eighty-five"), "fact birth: say isn't its value '1985-11-03'"),
        (put("facts", 1, "say", "November third, eighty-six"), "fact birth: say isn't its value '1985-11-03'"),
        (put("facts", 1, "value", "1985-13-03"), "fact birth: say isn't its value '1985-13-03'"),
        (
            put("facts", 2, "say", "seven one eight, double five five, oh one four three"),
            "fact phone: say isn't its value '+17185550142'",
        ),
        (put("opening", "This is Dana Smith."), "opening: says 'smith', which is no fact, trait or part of the intent"),
        (put("goals", 0, "ask", ["Is it 45 dollars?"]), "goal price: ask.0: says '45'"),
        (put("goals", 0, "again", "And in December?"), "goal price: again: says 'december'"),
        (put("exit", "say", "See you on Tuesday."), "exit.say: says 'tuesday'"),
        (put("opening", "Is it loc_windermere?"), "opening: gives away 'loc_windermere', which the task expects"),
        (put("goals", 0, "ask", ["Do find_slots now."]), "goal price: ask.0: gives away 'find_slots'"),
        (put("goals", 0, "again", "The location_ids?"), "goal price: again: gives away 'location_ids'"),
        (put("facts", 4, "say", "Transfer_to_scheduling"), "fact plan: say: gives away 'transfer_to_scheduling'"),
        (put("changes", 0, "say", "It's loc_windermere."), "change of 'plan': say: gives away 'loc_windermere'"),
        (put("exit", "say", "Look at exp_db_state."), "exit.say: speaks of what the task expects"),
    ],
)  # fmt: skip
def test_one_defect_is_one_finding(change: Callable[[dict[str, Any]], object], told: str) -> None:
    (found,) = findings(change, as_it_is)
    assert found.startswith(told)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            put("scripted_responses", 1, "response_value", "Not before Tuesday."),
            "pin 1: response_value: says 'tuesday'",
        ),
        (
            put("scripted_responses", 2, "response_value", "See loc_windermere."),
            "pin 2: response_value: gives away 'loc_windermere'",
        ),
    ],
)  # fmt: skip
def test_locked_replies_are_looked_at_too(change: Callable[[dict[str, Any]], object], told: str) -> None:
    (found,) = findings(as_it_is, change)
    assert found.startswith(told)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(put("pins", 2, "when", {"question": "office"}), id="an earlier pin that is said once only"),
        pytest.param(put("facts", 1, "say", "the third of November"), id="a date without its year"),
        pytest.param(put("facts", 1, "say", "11/03/1985"), id="a date in figures"),
        pytest.param(put("facts", 2, "say", "five five five, oh one four two"), id="a number without its area"),
        pytest.param(put("goals", 0, "ask", ["First off, one thing: the fee? I never come on Fridays."]), id="idiom"),
        pytest.param(put("opening", "Good morning. Thanks for picking up today."), id="capitals that begin a sentence"),
        pytest.param(put("opening", None), id="no opening"),
    ],
)
def test_what_is_no_defect(change: Callable[[dict[str, Any]], object]) -> None:
    assert findings(change, put("scripted_responses", 0, "occurrence_mode", "once")) == []


def test_references_are_told_first_and_alone() -> None:
    program = CallerFile.model_validate(PROGRAM | {"refuses": ["x"], "opening": "I am Bob Smith."})
    assert unknown_references(program, 3) == ["refuses: unknown offer 'x'"]
    assert findings(put("refuses", ["x"]), as_it_is) == ["refuses: unknown offer 'x'"]


def test_a_condition_too_large_to_check_is_told() -> None:
    part = {"any": [{"offer": name} for name in ("text", "human", "email", "refund", "repair", "cancel", "upgrade")]}
    (found,) = findings(put("pins", 0, "when", {"all": [part] * 12}), as_it_is)
    assert "alternatives" in found


CONDITIONS = st.recursive(
    st.sampled_from(["name", "zip"]).map(lambda id: {"question": id})
    | st.sampled_from(["text", "human"]).map(lambda id: {"offer": id})
    | st.builds(
        lambda id, polarity: {"value": id, "polarity": polarity},
        st.sampled_from(["booked", "sent"]),
        st.sampled_from(["yes", "no", "any"]),
    ),
    lambda inner: st.builds(
        lambda kind, parts: {kind: parts}, st.sampled_from(["all", "any"]), st.lists(inner, min_size=0, max_size=3)
    ),
    max_leaves=6,
).map(HeardFile.model_validate)
HEARD = st.builds(
    lambda questions, offers, values: Heard(questions=questions, offers=offers, values=values),
    st.frozensets(st.sampled_from(["name", "zip"])),
    st.frozensets(st.sampled_from(["text", "human"])),
    st.dictionaries(st.sampled_from(["booked", "sent"]), st.sampled_from(["yes", "no"])),
)


@given(condition=CONDITIONS, heard=HEARD)
def test_alternatives_are_the_condition(condition: HeardFile, heard: Heard) -> None:
    things = {("question", id, "") for id in heard.questions} | {("offer", id, "") for id in heard.offers}
    things |= {("value", id, polarity) for id, polarity in heard.values.items()}
    assert any(one <= things for one in alternatives(condition)) is holds(condition, heard)


@given(first=CONDITIONS, second=CONDITIONS, heard=HEARD)
def test_an_implication_holds_for_whatever_is_heard(first: HeardFile, second: HeardFile, heard: Heard) -> None:
    if implies(first, second) and holds(first, heard):
        assert holds(second, heard)
