"""Scripts of the real-time doubles: what each answer takes of one, and what is wrong with a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mivas.errors import InputError
from mivas.fakes.realtime import (
    FAULTS,
    CallStep,
    CallTool,
    Fault,
    Pause,
    Say,
    ScriptBrain,
    SessionView,
    ToolOutput,
    WaitStep,
    anew,
    continued,
    parse_fault,
    read_realtime_script,
)


def view(
    *heard: str,
    outputs: tuple[str | None, ...] = (),
    tools: tuple[str, ...] = (),
    delivered: int | None = None,
    updates: int = 1,
    written: tuple[str, ...] = (),
    session: int = 0,
) -> SessionView:
    calls = tuple(ToolOutput(call_id=f"c{n}", tool="t", output=output) for n, output in enumerate(outputs))
    return SessionView(
        session=session, instructions="", tools={name: {} for name in tools}, voice="", heard=heard, written=written,
        outputs=calls, updates=updates, delivered=delivered,
    )  # fmt: skip


def tools(outputs: Any) -> list[str]:
    return [output.tool for output in outputs]


def test_words_until_the_caller_must_speak() -> None:
    brain = ScriptBrain([Say("Hello."), Pause(100), Say("Yes?"), WaitStep(), Say("I see.")])
    assert brain.respond(view()) == [Say("Hello."), Pause(100), Say("Yes?")]
    assert brain.respond(view()) == []  # a nudge; nobody spoke
    assert brain.complaint() is not None
    assert brain.respond(view("help")) == [Say("I see.")]
    assert brain.respond(view("help", "more")) == []
    assert brain.complaint() is None


def test_a_wait_at_the_end_needs_nobody() -> None:
    brain = ScriptBrain([Say("Hello."), WaitStep()])
    brain.respond(view())
    assert brain.complaint() is None


def test_writing_is_a_turn_but_no_speech() -> None:
    assert ScriptBrain([WaitStep(), Say("x")]).respond(view(written=("hi",))) == []
    assert ScriptBrain([WaitStep(until="turn"), Say("x")]).respond(view(written=("hi",))) == [Say("x")]


def test_it_asks_again_until_it_has_heard() -> None:
    brain = ScriptBrain([WaitStep(heard=("August 5",), again="Which day?"), Say("Fine.")])
    assert brain.respond(view("soon")) == [Say("Which day?")]
    assert brain.respond(view("soon")) == []
    assert brain.respond(view("soon", "on august, 5!")) == [Say("Fine.")]


def test_it_complains_of_what_was_not_said() -> None:
    brain = ScriptBrain([WaitStep(heard=("five",)), Say("Fine.")])
    assert brain.respond(view("four")) == []
    assert brain.complaint() == "step 1: the caller hasn't said 'five'"


def test_calls_wait_for_their_outputs() -> None:
    steps = [Say("Wait."), CallStep(tool="a", name="first"), CallStep(tool="b"), Say("Done."), CallStep(tool="c")]
    brain = ScriptBrain(steps)
    assert brain.respond(view()) == [
        Say("Wait."), CallTool(tool="a", arguments={}), CallTool(tool="b", arguments={})
    ]  # fmt: skip
    assert brain.respond(view(outputs=("1", None))) == ()
    assert brain.respond(view(outputs=("1", "2"))) == [Say("Done."), CallTool(tool="c", arguments={})]


def test_a_handoff_stands_alone_and_wants_a_new_configuration() -> None:
    steps = [CallStep(tool="to_b", kind="handoff"), CallStep(tool="look")]
    brain = ScriptBrain(steps)
    assert tools(brain.respond(view())) == ["to_b"]
    assert tools(brain.respond(view(outputs=("{}",), updates=2))) == ["look"]
    assert brain.complaint() is None
    brain = ScriptBrain(steps)
    brain.respond(view())
    brain.respond(view(outputs=("{}",)))
    assert brain.complaint() == "step 2: the session wasn't configured anew after to_b"
    brain = ScriptBrain(steps)
    brain.respond(view())
    assert tools(brain.respond(view(session=1))) == ["look"]  # handed off by a new connection
    assert brain.complaint() is None


def test_the_end_waits_for_nothing() -> None:
    brain = ScriptBrain([Say("Bye."), CallStep(tool="end_call", kind="end")])
    assert len(brain.respond(view())) == 2
    assert brain.respond(view(outputs=(None,))) == []
    assert brain.complaint() is None


def test_arguments_from_facts_outputs_and_ears() -> None:
    arguments = {
        "who": {"$fact": "name"},
        "slot": {"$out": "found.slots.1.id"},
        "day": [{"$heard": r"on the (\w+)"}, {"deep": {"$heard": "eight"}}],
        "as it is": {"$fact": "name", "more": 1},
    }
    steps = [CallStep(tool="find", name="found"), CallStep(tool="no")]
    steps = [steps[0], Say("x"), CallStep(tool="book", arguments=arguments)]
    brain = ScriptBrain(steps, facts={"name": "Ann"})
    brain.respond(view("on the fifth", "no, on the eighth"))
    (_, call) = brain.respond(view("on the fifth", "no, on the eighth", outputs=('{"slots": [{}, {"id": 7}]}',)))
    assert call.arguments == {
        "who": "Ann", "slot": 7, "day": ["eighth", {"deep": "eight"}], "as it is": {"$fact": "name", "more": 1}
    }  # fmt: skip
    assert brain.complaint() is None


@pytest.mark.parametrize("template", [{"$fact": "no"}, {"$out": "no.x"}, {"$heard": "no"}, {"$heard": "("}])
def test_a_value_that_is_not_there(template: Any) -> None:
    brain = ScriptBrain([CallStep(tool="t", arguments={"x": template})])
    (call,) = brain.respond(view("yes"))
    assert call.arguments == {"x": None}
    assert brain.complaint() is not None


def test_what_must_and_must_not_be_offered() -> None:
    brain = ScriptBrain([CallStep(tool="a", offered=("a", "b"), withheld=("c",))])
    assert tools(brain.respond(view(tools=("a", "b")))) == ["a"]
    assert brain.complaint() is None
    for offered, problem in ((("a",), "step 1: b isn't offered"), (("a", "b", "c"), "step 1: c is offered")):
        brain = ScriptBrain([CallStep(tool="a", offered=("a", "b"), withheld=("c",))])
        brain.respond(view(tools=offered))
        assert brain.complaint() == problem


def test_what_an_interruption_kept_from_the_wire_is_played_again() -> None:
    brain = ScriptBrain([Say("One."), Say("Two."), CallStep(tool="a"), WaitStep(), Say("Three.")])
    assert len(brain.respond(view())) == 3
    assert brain.respond(view("oh", delivered=1)) == [Say("Two."), CallTool(tool="a", arguments={})]
    assert tools(brain.respond(view("oh", "eh", delivered=1))) == ["a"]
    assert brain.respond(view("oh", "eh", outputs=("{}",))) == []
    assert brain.respond(view("oh", "eh", "ah", outputs=("{}",))) == [Say("Three.")]


def test_a_handoff_that_was_cut_off_is_made_again() -> None:
    brain = ScriptBrain([CallStep(tool="to_b", kind="handoff"), Say("B.")])
    brain.respond(view())
    assert tools(brain.respond(view("oh", delivered=0))) == ["to_b"]
    assert brain.respond(view("oh", outputs=("{}",), updates=2)) == [Say("B.")]
    assert brain.complaint() is None


def test_a_failing_answer_is_one_of_its_own() -> None:
    brain = ScriptBrain([Fault("failed"), Say("Hello.")])
    assert brain.respond(view()) == [Fault("failed")]
    assert brain.respond(view(delivered=1)) == [Say("Hello.")]


def test_plans() -> None:
    plan = anew([Say("x")])
    assert plan(0).brain is not plan(1).brain
    plan = continued([Say("x")], faults=[Fault("slow")])
    assert plan(0) is plan(1)
    assert plan(0).faults == (Fault("slow"),)


# Files.


def written(tmp_path: Path, content: Any) -> Path:
    path = tmp_path / "script.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_a_file_with_every_step(tmp_path: Path) -> None:
    steps = [
        {"say": "Hello."},
        {"wait": "speech", "heard": ["help"], "again": "Sorry?"},
        {"wait": 250},
        {"call": "find", "arguments": {"who": {"$fact": "name"}}, "as": "found", "offered": ["find"]},
        {"call": "book", "arguments": {"slot": {"$out": "found.id"}}, "call_id": "mine", "withheld": ["x"]},
        {"call": "raw", "arguments": '{"broken'},
        {"fault": "slow=50"},
        {"handoff": "to_b"},
        {"end": "end_call", "arguments": {"reason": "done"}},
    ]
    path = written(tmp_path, {"version": 1, "facts": {"name": "Ann"}, "faults": ["late-ack"], "steps": steps})
    planned = read_realtime_script(path)(0)
    assert planned.faults == (Fault("late-ack"),)
    answers = planned.brain
    assert answers.respond(view()) == [Say("Hello.")]
    pause, find, book, raw = answers.respond(view("help", tools=("find",)))
    assert pause == Pause(250)
    assert find == CallTool(tool="find", arguments={"who": "Ann"})
    assert (book.call_id, raw.arguments) == ("mine", '{"broken')


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "Invalid JSON"),
        ("[]", "should be an object"),
        ({"version": 2, "steps": []}, "/version: "),
        ({"version": 1}, "/steps: "),
        ({"version": 1, "steps": [], "more": 1}, "/more: "),
        ({"version": 1, "steps": [{}]}, "steps/0: needs exactly one of say, call"),
        ({"version": 1, "steps": [{"say": "a", "call": "b"}]}, "has say, call"),
        ({"version": 1, "steps": [{"say": ""}]}, "steps/0/say: "),
        ({"version": 1, "steps": [{"say": "a", "arguments": {}}]}, "arguments belongs to call or handoff or end"),
        ({"version": 1, "steps": [{"end": "a", "as": "b"}]}, "as belongs to call or handoff, not to end"),
        ({"version": 1, "steps": [{"wait": "long"}]}, "steps/0/wait"),
        ({"version": 1, "steps": [{"wait": -1}]}, "steps/0/wait"),
        ({"version": 1, "steps": [{"wait": 5, "heard": ["x"]}]}, "belong to a wait for speech or turn"),
        ({"version": 1, "steps": [{"wait": "speech", "again": "x"}]}, "needs heard beside again"),
        ({"version": 1, "steps": [{"wait": "speech", "heard": ["?"]}]}, "heard needs letters or digits"),
        ({"version": 1, "steps": [{"fault": "fire"}]}, "no fault 'fire'"),
        ({"version": 1, "steps": [{"fault": "no-ack"}]}, "belongs to the whole session"),
        ({"version": 1, "steps": [], "faults": ["slow=soon"]}, "fault slow takes a number"),
        ({"version": 1, "steps": [{"call": "a", "arguments": {"x": {"$fact": "n"}}}]}, "step 1: no fact 'n'"),
        ({"version": 1, "steps": [{"call": "a", "arguments": {"x": [{"$out": "n.y"}]}}]}, "no earlier step has as"),
        ({"version": 1, "steps": [{"call": "a", "arguments": {"x": {"$heard": "("}}}]}, "no regular expression"),
        ({"version": 1, "steps": [{"call": "a", "arguments": {"x": {"$heard": 1}}}]}, "$heard takes a text"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_line(tmp_path: Path, content: Any, told: str) -> None:
    with pytest.raises(InputError) as caught:
        read_realtime_script(written(tmp_path, content))
    assert told in str(caught.value)
    assert "script.json" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't be read"):
        read_realtime_script(tmp_path / "no.json")


@given(text=st.text(max_size=30))
def test_what_is_no_fault_is_one_line(text: str) -> None:
    assume(text.partition("=")[0].strip() not in FAULTS)
    with pytest.raises(InputError) as caught:
        parse_fault(text, where="--fault")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_has_a_value_that_fits(name: str) -> None:
    fault = Fault(name)
    if fault.kind.takes == "number":
        assert Fault(name, fault.text).number == fault.number


@pytest.mark.parametrize(
    "text", ["refuse=200", "close=1000", "close=2000", "huge-frame=0", "slow=x", "drop=1", "slow=²"]
)
def test_values_that_no_fault_takes(text: str) -> None:
    with pytest.raises(InputError):
        parse_fault(text, where="--fault")
    name, _, value = text.partition("=")
    with pytest.raises(ValueError, match="fault"):
        Fault(name, value)
