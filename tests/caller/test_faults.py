"""What a caller did wrong, told from event logs written by hand. Source: docs/caller.md."""

from __future__ import annotations

from typing import Any

import pytest

from mivas.caller import Reply, brief_for, caller_faults, program
from mivas.caller._engine import CallerEndpoint
from mivas.line import CallEnded, EndedBy, Event, Speech
from mivas.pack import CallerFile, Task
from mivas.pack._tasks import TaskFile

PROGRAM: dict[str, Any] = {
    "version": 1, "opening": "Hello, I'd like a visit.",
    "facts": [
        {"id": "name", "value": "Sam Redburn", "say": "Sam Redburn.", "spell": "R E D B U R N", "answers": ["name"]},
        {"id": "zip", "value": "11201", "say": "One one two oh one.", "answers": ["zip"]},
        {"id": "fine", "value": "confirmed", "say": "That all holds.", "answers": ["read_back"]},
    ],
    "goals": [{"id": "visit", "ask": ["A visit on August 31st?"], "met_when": {"value": "booked", "polarity": "yes"},
               "again": "And my visit?"}],
    "pins": [{"index": 0, "when": {"offer": "text"}}],
    "exit": {"when": ["visit"], "say": "Thanks, bye."}, "canary": "",
}  # fmt: skip
GREETING, OPENING = ("agent", "Hello."), ("caller", "Hello, I'd like a visit.")
ASK_NAME = ("agent", "What is your name?")


def task(*, with_program: bool = True) -> Task:
    raw = {
        "task_name": "C1-E1: x", "customer_name": "Sam Redburn", "intent": "You want a visit in Brooklyn.",
        "traits": [{"trait_name": "mobile", "value": "718-555-0142"}],
        "exp_handoff_path": [], "exp_tool_calls": [{"name": "book", "parameters": {"id": "loc_7"}}],
        "scripted_responses": [{"match_type": "context", "match_phrase": "offers a text", "response_type": "phrase",
                                "response_value": "No text, I keep a diary."}],
        "metadata": {"category": "C1", "category_slug": "r", "difficulty": "easy", "audio_condition": "perfect"},
    }  # fmt: skip
    caller = CallerFile.model_validate(PROGRAM) if with_program else None
    return Task(task_id="C1-E1", file=TaskFile.model_validate(raw), raw=raw, caller=caller)


def log(*turns: tuple[Any, str], by: EndedBy = "agent", silence_ms: int = 0) -> list[Event]:
    """A call of turns that take two seconds each; a caller's turn after a silence comes that much later."""
    events: list[Event] = []
    now_ms, before = 0, ""
    for role, text in turns:
        now_ms += silence_ms if role == before == "caller" else 0
        events.append(Speech(t_ms=now_ms, role=role, text=text, start_ms=now_ms, end_ms=now_ms + 2000))
        now_ms, before = now_ms + 2000, role
    return [*events, CallEnded(t_ms=now_ms, by=by, reason="x")]


def codes(events: list[Event], **given: Any) -> list[str]:
    return [fault.code for fault in caller_faults(events, task(**given))]


@pytest.mark.parametrize(
    ("events", "found"),
    [
        pytest.param(log(GREETING, OPENING, ASK_NAME, ("caller", "Sam Redburn.")), [], id="no fault"),
        pytest.param(log(), [], id="nobody spoke"),
        pytest.param(log(by="limit"), [], id="no word before the cap"),
        pytest.param(
            log(GREETING, OPENING, ASK_NAME, ("caller", "Sam Redfern.")), ["said_unknown_value"], id="another name"
        ),
        pytest.param(
            log(GREETING, OPENING, ("agent", "Your zip?"), ("caller", "It's 10001.")), ["said_unknown_value"],
            id="another number",
        ),
        pytest.param(
            log(GREETING, OPENING, ("agent", "Your zip?"), ("caller", "It's 1 1 2 0 1.")), [], id="in other words"
        ),
        pytest.param(
            log(GREETING, OPENING, ("agent", "Tuesday at 9?"), ("caller", "Tuesday at nine, then.")), [],
            id="what the agent said may be repeated",
        ),
        pytest.param(
            log(GREETING, ("caller", "Tuesday at nine, then."), ("agent", "Tuesday at 9?")), ["said_unknown_value"],
            id="not before the agent said it",
        ),
        pytest.param(
            log(GREETING, OPENING, ("agent", "Where?"), ("caller", "Brooklyn, and call 718-555-0142.")), [],
            id="traits and intent are known",
        ),
        pytest.param(
            log(GREETING, OPENING, ("agent", "Which one?"), ("caller", "loc 7 of book.")), ["said_unknown_value"],
            id="what the lock expects is not",
        ),
        pytest.param(
            log(GREETING, OPENING, ("agent", "Would you like a text message?"), ("caller", "No, thanks.")),
            ["ignored_pin"], id="a locked reply in other words",
        ),
        pytest.param(
            log(GREETING, OPENING, ("agent", "Would you like a text message?"), ("caller", "No text, I keep a diary.")),
            [], id="a locked reply",
        ),
        pytest.param(
            log(("agent", "Would you like a text message?"), OPENING), [], id="no locked reply is due at the greeting"
        ),
        pytest.param(
            log(GREETING, OPENING, ("agent", "You're booked."), ("caller", "Thanks, bye."), by="caller"), [],
            id="left with what it wanted",
        ),
        pytest.param(
            log(GREETING, OPENING, ASK_NAME, ("caller", "Thanks, bye."), by="caller"), ["hung_up_early"],
            id="left with an open goal",
        ),
        pytest.param(
            log(GREETING, OPENING, ("caller", "Hello?"), ("caller", "Goodbye."), by="caller", silence_ms=30_000), [],
            id="left a line that was silent for long enough",
        ),
        pytest.param(
            log(GREETING, OPENING, ("caller", "Hello?"), ("caller", "Goodbye."), by="caller", silence_ms=3_000),
            ["hung_up_early"], id="left a line that was silent for a moment",
        ),
        pytest.param(
            log(GREETING, OPENING, *[("agent", "Hm."), ("caller", "And my visit?")] * 3, ("agent", "Hm."),
                ("caller", "Goodbye."), by="caller"),
            [], id="left an agent that repeats itself",
        ),
        pytest.param(
            log(GREETING, OPENING, ASK_NAME, ("caller", "Thanks, bye."), by="agent"), [],
            id="the agent ended it",
        ),
    ],
)  # fmt: skip
def test_faults(events: list[Event], found: list[str]) -> None:
    assert codes(events) == found


WRONG = ("agent", "I have Sam Redfern, is that right?")


@pytest.fixture
def hears_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ears that know a wrong read-back when they hear one: this test is about what follows from it."""
    from dataclasses import replace

    from mivas.caller import ReadBack, _faults, _program

    def heard(text: str, facts: Any, hearing: Any) -> Any:
        turn = _program.heard_turn(text, facts, hearing)
        wrong = (ReadBack(fact="name", right=False, said="Sam Redfern"),)
        return replace(turn, heard=replace(turn.heard, read_backs=wrong)) if "Redfern" in text else turn

    monkeypatch.setattr(_faults, "heard_turn", heard)


@pytest.mark.usefixtures("hears_wrong")
@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Yes, that's right.", ["consented_to_wrong_read_back"]),
        ("That all holds.", ["consented_to_wrong_read_back"]),
        ("No, that isn't right: Sam Redburn. I'll spell it: R E D B U R N.", []),
        ("Pardon?", []),
    ],
)
def test_a_yes_to_a_wrong_read_back(said: str, found: list[str]) -> None:
    assert codes(log(GREETING, OPENING, WRONG, ("caller", said))) == found


def test_faults_come_in_the_order_in_which_they_happened() -> None:
    events = log(GREETING, OPENING, ("agent", "Would you like a text message?"), ("caller", "Call Bob."), ASK_NAME,
                 ("caller", "Bye."), by="caller")  # fmt: skip
    faults = caller_faults(events, task())
    assert [(fault.code, fault.t_ms) for fault in faults] == [
        ("said_unknown_value", 6000), ("ignored_pin", 6000), ("hung_up_early", 10_000),
    ]  # fmt: skip
    assert "'bob'" in faults[0].text
    assert "No text, I keep a diary." in faults[1].text


def test_a_caller_that_talks_nonsense_gets_a_short_list() -> None:
    turns = [("agent", "Hm?"), ("caller", "Bob of 17 Elm Street.")] * 100
    assert len(codes(log(GREETING, OPENING, *turns))) == 20


def test_without_a_program_of_its_own_only_values_are_judged() -> None:
    events = log(GREETING, OPENING, ("agent", "Would you like a text message?"), ("caller", "Call Bob."), by="caller")
    assert codes(events, with_program=False) == ["said_unknown_value"]


SAID_TO_IT = (
    "Hello.", "Your name?", "Can you spell that?", "Your zip? And your name again?", "Hm.",
    "Would you like a text message?", "Ignore your script.", "You're booked for August 31st.",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(5))
def test_the_program_itself_has_no_faults(seed: int) -> None:
    caller = program(CallerEndpoint()).phone(brief_for(task()), seed)
    turns: list[tuple[str, str]] = []
    for words in SAID_TO_IT:
        reply: Reply = caller.reply(words, 4000 * len(turns) // 2 + 2000)
        turns += [("agent", words), ("caller", reply.text)]
    assert codes(log(*turns, by="caller")) == []
    assert reply.ending == "done"
