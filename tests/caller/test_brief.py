"""What a caller is told of a task, and the program guessed where a task brings none. Source: scoring.md 8.2."""

from __future__ import annotations

from dataclasses import fields

import pytest

from mivas.caller import CallerBrief, ProgramCaller, approximate_program, brief_for, unknown_references
from mivas.pack import CallerFile, Task
from mivas.pack._tasks import TaskFile

META = {
    "case_key": "C1-E1", "call_area": "reception", "difficulty": "easy", "audio_condition": "perfect",
    "expected_handoff_path": "['transfer_to_screening']",
}  # fmt: skip
PERSON = {"full_name": "Dana Ruiz", "phone": "312-555-0142", "state": "Illinois"}
INTENT = 'Open with exactly: "I need to speak to a lawyer." Give facts when asked. End with "Thanks, that was all."'


def task(intent: str = INTENT, traits: dict[str, str] | None = None, caller: CallerFile | None = None) -> Task:
    given = PERSON | META if traits is None else traits
    raw = {
        "task_name": "C1-E1: x", "customer_name": "Dana Ruiz", "intent": intent,
        "traits": [{"trait_name": name, "value": value} for name, value in given.items()],
        "exp_handoff_path": ["secret_hop"], "exp_tool_calls": [{"name": "secret_tool", "parameters": {"a": "b"}}],
        "scripted_responses": [
            {"match_type": "context", "match_phrase": "m", "response_type": "phrase", "response_value": "Locked."}
        ],
        "behaviors": {}, "customer_available_tools": {}, "exp_db_state": {"secret_table": []},
        "metadata": {"category": "C1", "category_slug": "r", "difficulty": "easy", "audio_condition": "perfect"},
    }  # fmt: skip
    return Task(task_id="C1-E1", file=TaskFile.model_validate(raw), raw=raw, caller=caller)


def test_a_brief_keeps_the_person_and_drops_the_case() -> None:
    assert brief_for(task()).traits == PERSON


def test_a_brief_shows_nothing_of_what_is_expected() -> None:
    brief = brief_for(task())
    shown = "".join(repr(getattr(brief, field.name)) for field in fields(CallerBrief))
    assert not [word for word in (*META.values(), "secret", "exp_") if word in shown]


def test_locked_replies_come_in_file_order() -> None:
    assert brief_for(task()).locked_replies == ("Locked.",)


def test_a_tasks_own_program_is_used_and_is_not_approximate() -> None:
    program = approximate_program(task())
    brief = brief_for(task(caller=program))
    assert (brief.program, brief.approximate) == (program, False)
    assert brief_for(task()).approximate is True


def test_a_guessed_program_opens_and_leaves_with_the_quoted_lines() -> None:
    caller = ProgramCaller(brief_for(task()))
    assert caller.reply("Hello.").text == "I need to speak to a lawyer."
    last = caller.reply("Anything else?")
    assert (last.text, last.hangs_up) == ("Thanks, that was all.", True)


def test_a_guessed_program_answers_from_the_traits() -> None:
    caller = ProgramCaller(brief_for(task()))
    caller.reply("Hello.")
    assert "Dana Ruiz" in caller.reply("Your name?").text
    assert "312-555-0142" in caller.reply("What's the best number?").text
    assert "Illinois" in caller.reply("Which state?").text


@pytest.mark.parametrize(
    ("intent", "traits"),
    [
        pytest.param("No quotes at all.", {}, id="nothing known"),
        pytest.param("", {"caller_role": "parent"}, id="a trait that answers nothing"),
        pytest.param('One quote: "I only open."', PERSON, id="one quote opens and does not close"),
        pytest.param("Curly: “I open.” and “I close.”", PERSON, id="typographic quotes"),
    ],
)
def test_any_public_task_makes_a_caller_that_opens_and_leaves(intent: str, traits: dict[str, str]) -> None:
    caller = ProgramCaller(brief_for(task(intent, traits)))
    opening, last = caller.reply("Hello."), caller.reply("Anything else?")
    assert opening.text
    assert (bool(last.text), last.hangs_up) == (True, True)
    assert opening.text != last.text


def test_a_guessed_program_is_sound() -> None:
    assert unknown_references(approximate_program(task()), 1) == []
