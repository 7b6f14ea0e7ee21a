"""A step is known by its verb, and an error tells of that kind of step only."""

from __future__ import annotations

from typing import Any

import pytest

from mivas.errors import PackError
from mivas.pack import SolutionFile
from mivas.pack._reading import validate
from mivas.pack.steps import CallStep, EndStep, Expectation, HandoffStep, HearStep, SayStep


def solution(*steps: Any) -> SolutionFile:
    return validate(SolutionFile, {"version": 1, "canary": "x", "steps": [{"say": "Hello."}, *steps]}, "solution.json")


@pytest.mark.parametrize(
    ("step", "message"),
    [
        pytest.param({"dance": 1}, "unknown step 'dance'; choose from say, hear, call, handoff, end", id="verb"),
        pytest.param({}, "an empty step; choose from say, hear", id="empty"),
        pytest.param({"say": "Hi.", "hear": "name"}, "a step has one verb, this has say and hear", id="two verbs"),
        pytest.param({"call": "find", "arguments": []}, "arguments: Input should be a valid dictionary", id="list"),
        pytest.param({"say": 1}, "say: Input should be a valid string", id="number said"),
        pytest.param({"say": "Hi.", "expect": {"ok": True}}, "expect: Extra inputs", id="key of another step"),
        pytest.param("say", "Input should be", id="text"),
        pytest.param(None, "Input should be", id="null"),
    ],
)
def test_a_wrong_step_is_told_by_its_number(step: Any, message: str) -> None:
    with pytest.raises(PackError) as caught:
        solution(step)
    assert str(caught.value).startswith("solution.json: steps.1")
    assert message in str(caught.value)


def test_a_call_without_expectation_is_told_in_one_word() -> None:
    with pytest.raises(PackError) as caught:
        solution({"call": "find_slots"})
    assert str(caught.value) == "solution.json: steps.1.expect: Field required; see `mivas packs schema`"


def test_every_kind_of_step_is_read() -> None:
    steps = solution(
        {"hear": "name"},
        {"call": "find", "expect": {"ok": True}, "as": "found"},
        {"handoff": "to"},
        {"end": "end_call"},
    ).steps
    assert steps == (
        SayStep(say="Hello."),
        HearStep(hear="name"),
        CallStep(call="find", expect=Expectation(ok=True), name="found"),
        HandoffStep(handoff="to"),
        EndStep(end="end_call"),
    )
