"""The program guessed for a task that brings none: what it makes of intent, traits and described situations."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.caller import ProgramCaller, approximate_program, brief_for, unknown_references
from mivas.pack import Task, load_pack, load_suite
from mivas.pack._tasks import TaskFile

REFERENCE = Path(os.environ.get("MIVAS_REFERENCE") or Path(__file__).parents[3] / "shared" / "reference")
PACKS = ("healthcare", "legal", "customer-support")


def task(intent: str = "", traits: dict[str, str] | None = None, phrases: tuple[str, ...] = ()) -> Task:
    raw: dict[str, Any] = {
        "task_name": "C1-E1: x", "customer_name": "Dana Ruiz", "intent": intent,
        "traits": [{"trait_name": name, "value": value} for name, value in (traits or {}).items()],
        "exp_handoff_path": [], "exp_tool_calls": [],
        "scripted_responses": [
            {"match_type": "context", "match_phrase": phrase, "response_type": "phrase",
             "response_value": f"Locked {n}."}
            for n, phrase in enumerate(phrases)
        ],
        "metadata": {"category": "C1", "category_slug": "r", "difficulty": "easy", "audio_condition": "perfect"},
    }  # fmt: skip
    return Task(task_id="C1-E1", file=TaskFile.model_validate(raw), raw=raw)


@pytest.mark.parametrize(
    ("intent", "wish"),
    [
        ("You want a haircut on the moon. Be polite.", "I want a haircut on the moon."),
        ("You are shy. Ask whether they mend your kettle.", "I'd like to ask whether you mend my kettle."),
        ("Ask for the opening hours.", "I'd like to ask for the opening hours."),
        ("You need to hear what it costs you.", "I need to hear what it costs me."),
        ("You want a kettle if they have one. You have a dog.", "I have a dog."),
    ],
)
def test_the_wish_is_put_in_the_first_person(intent: str, wish: str) -> None:
    program = approximate_program(task(intent))
    assert program.goals[0].ask == (wish,)
    assert program.opening is not None
    assert program.opening.endswith(wish)


@pytest.mark.parametrize("intent", ["", "Never say a word.", "You want " + "very " * 80 + "much."])
def test_without_a_plain_wish_a_caller_still_opens(intent: str) -> None:
    program = approximate_program(task(intent))
    assert program.opening == "Hello, I hope you can help me with something."


@pytest.mark.parametrize(
    ("phrase", "turn", "speaks"),
    [
        pytest.param("asks for your date of birth.", "May I have your date of birth?", True, id="asks"),
        pytest.param("asks for your date of birth.", "May I have your email?", False, id="asks something else"),
        pytest.param("The agent asks which office it is for.", "Which office is that for?", True, id="asks which"),
        pytest.param("offers to put you on the waiting list.", "Would you like the waiting list?", True, id="offers"),
        pytest.param("proposes the waiting list", "What is your name?", False, id="offers nothing"),
        pytest.param(
            "offers a text message. NOT when asking for the phone number.", "Shall I send you a text message?", True,
            id="no veto",
        ),
        pytest.param(
            "offers a text message. NOT when asking for the phone number.",
            "Shall I send you a text message? What is your phone number?", False, id="vetoed",
        ),
        pytest.param(
            "asks for your name. NOT when asking about anything else.", "May I have your name?", True,
            id="a veto on all the rest",
        ),
        pytest.param("says that you are booked", "You are booked.", True, id="says"),
        pytest.param("sings a song of some kind", "May I have your name?", False, id="nothing anybody understands"),
    ],
)  # fmt: skip
def test_a_described_situation_brings_its_locked_reply(phrase: str, turn: str, speaks: bool) -> None:
    caller = ProgramCaller(brief_for(task("You want a haircut.", phrases=(phrase,))))
    caller.reply("Hello.")
    assert ("Locked 0." in caller.reply(turn).text) is speaks


PHRASES = st.text(max_size=40) | st.sampled_from(["asks for", "offers to NOT when NOT", "says. NOT asks"])


@given(
    intent=st.text(max_size=80),
    traits=st.dictionaries(st.sampled_from(["full_name", "mobile", "x"]), st.text(max_size=9)),
    phrases=st.lists(PHRASES, max_size=3),
)
def test_any_task_gives_a_program_that_names_what_callers_know(
    intent: str, traits: dict[str, str], phrases: list[str]
) -> None:
    made = task(intent, traits, tuple(phrases))
    program = approximate_program(made)
    assert unknown_references(program, len(phrases)) == []
    assert ProgramCaller(brief_for(made)).reply("Hello.").text


@pytest.mark.parametrize("pack_name", PACKS)
def test_most_locked_replies_of_the_public_suites_can_be_said(pack_name: str) -> None:
    folder = REFERENCE / "tasks" / pack_name
    if not folder.is_dir():
        pytest.skip("no public release here")
    tasks = load_suite(load_pack(pack_name), folder).tasks.values()
    programs = [approximate_program(one) for one in tasks]
    pins = sum(len(one.file.scripted_responses) for one in tasks)
    for one, program in zip(tasks, programs, strict=True):
        assert unknown_references(program, len(one.file.scripted_responses)) == []
    assert 2 * sum(len(program.pins) for program in programs) > pins
