"""A caller by program: what it says, what it keeps to itself, when it leaves. Source: formats.md 3, scoring.md 8.3."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.caller import OFFERS, QUESTIONS, STATEMENTS, CallerBrief, ProgramCaller, understand
from mivas.caller._program import GIVING_UP, NO_THANKS, STILL_THERE, YES
from mivas.pack import CallerFile

SECRETS = {"name": "Zyx Qwv", "birth": "1985-11-03", "mail": "zyx@mail.example", "zip": "99173"}
ANSWERS = {"name": "name", "birth": "date_of_birth", "mail": "email", "zip": "zip"}
CUES = [cue for table in (QUESTIONS, OFFERS, STATEMENTS) for cues in table.values() for cue in cues]
SENTENCES = st.builds(
    lambda lead, cue, end: f"{lead} {cue}{end}",
    st.sampled_from(["What is your", "May I have your", "Would you like", "I can", "Your", "We can't", ""]),
    st.sampled_from(CUES),
    st.sampled_from([".", "?", "!", "", "..."]),
)
TURNS = st.text(max_size=40) | st.lists(SENTENCES | st.text(max_size=10), max_size=4).map(" ".join)


def reserved_caller(volunteers: str | None) -> ProgramCaller:
    facts = [
        {"id": id, "value": value, "say": f"It's {value}.", "answers": [ANSWERS[id]], "volunteer": id == volunteers}
        for id, value in SECRETS.items()
    ]
    program = {
        "version": 1, "opening": "Hello there.", "facts": facts, "exit": {"when": [], "say": "Bye."}, "canary": "",
    }  # fmt: skip
    return ProgramCaller(
        CallerBrief(
            name="", intent="", traits={}, locked_replies=(), program=CallerFile.model_validate(program),
            approximate=False,
        )
    )  # fmt: skip


@given(turns=st.lists(TURNS, max_size=6), volunteers=st.none() | st.sampled_from(sorted(SECRETS)))
def test_a_fact_is_said_only_when_asked_or_volunteered(turns: list[str], volunteers: str | None) -> None:
    caller = reserved_caller(volunteers)
    allowed = {volunteers} - {None}
    opening = caller.reply("")
    assert {id for id, value in SECRETS.items() if value in opening.text} == allowed
    for turn in turns:
        asked = {id for id, question in ANSWERS.items() if question in understand(turn, ()).questions}
        reply = caller.reply(turn)
        assert {id for id, value in SECRETS.items() if value in reply.text} <= asked
        if reply.hangs_up:
            break


@given(turns=st.lists(TURNS, max_size=8))
def test_a_caller_says_the_same_to_the_same_words(turns: list[str]) -> None:
    first, second = reserved_caller(None), reserved_caller(None)
    assert [first.reply(turn) for turn in turns] == [second.reply(turn) for turn in turns]


@given(turns=st.lists(TURNS, min_size=60, max_size=60, unique=False))
def test_a_caller_never_says_nothing(turns: list[str]) -> None:
    caller = reserved_caller(None)
    assert all(caller.reply(turn).text for turn in turns)


def test_the_opening_comes_first_whatever_the_agent_asked() -> None:
    caller = reserved_caller("zip")
    assert caller.reply("What's your email?").text == "Hello there. It's 99173."


def test_without_an_opening_the_first_goal_opens(make_caller: Any) -> None:
    assert make_caller(opening=None).reply("Hello.").text == "A visit, please."


def test_without_an_opening_and_goals_a_caller_greets(make_caller: Any) -> None:
    assert make_caller(opening=None, goals=[], exit={"when": [], "say": "Bye."}).reply("Hello.").text == "Hello."


def test_several_questions_get_several_answers_in_the_programs_order(talk: Any) -> None:
    (reply,) = talk("May I have your date of birth and your name?")
    assert reply.text == "Sam Nguyen third of November, eighty-five"


def test_a_goal_is_asked_once_and_then_asked_again(talk: Any) -> None:
    replies = talk("I see.", "Hm.", "Right.")
    assert [reply.text for reply in replies] == ["A visit, please.", "And the visit?", "And the visit?"]


def test_a_caller_loses_patience_after_so_many_turns_that_lead_nowhere(talk: Any) -> None:
    replies = talk("Hm.", "Hm.", "Hm.", patience={"repeats": 2})
    assert [reply.hangs_up for reply in replies] == [False, False, True]
    assert replies[-1].text == GIVING_UP


def test_a_question_restores_patience(talk: Any) -> None:
    replies = talk("Hm.", "Hm.", "Your name?", "Hm.", "Hm.", "Hm.", patience={"repeats": 2})
    assert [reply.hangs_up for reply in replies] == [False, False, False, False, False, True]


def test_silence_makes_a_caller_ask_whether_anybody_is_there(talk: Any) -> None:
    replies = talk("", "  ", "", "")
    assert [reply.text for reply in replies] == [STILL_THERE, STILL_THERE, STILL_THERE, GIVING_UP]
    assert replies[-1].hangs_up


def test_a_caller_leaves_once_its_goals_are_met(talk: Any) -> None:
    (reply,) = talk("You are booked for Monday. Anything else?")
    assert (reply.text, reply.hangs_up) == ("Thanks, bye.", True)


def test_a_denied_goal_is_not_met(talk: Any) -> None:
    (reply,) = talk("I'm sorry, it is not so that you are booked.")
    assert not reply.hangs_up


def test_unless_keeps_a_goal_open(talk: Any) -> None:
    goal = {
        "id": "visit", "ask": ["A visit?"], "again": "And?",
        "met_when": {"value": "booked"}, "unless": {"value": "waitlisted"},
    }  # fmt: skip
    replies = talk("You're booked and on the waitlist.", "You're booked.", goals=[goal])
    assert [reply.hangs_up for reply in replies] == [False, True]


def test_without_goals_to_meet_a_caller_leaves_when_asked_whether_there_is_more(talk: Any) -> None:
    replies = talk("Hm.", "Is there anything else?", goals=[], exit={"when": [], "say": "No, bye."})
    assert [reply.hangs_up for reply in replies] == [False, True]


PINS = [
    {"index": 1, "when": {"offer": "text"}, "not_when": {"question": "phone"}},
    {"index": 0, "when": {"any": [{"offer": "text"}, {"question": "name"}]}},
]
LOCKED = ("First locked line.", "No text, please.")


@pytest.mark.parametrize(
    ("turn", "reply"),
    [
        pytest.param("Would you like a text message?", LOCKED[1], id="the first match wins"),
        pytest.param(
            "Would you like a text message? What's your phone number?",
            LOCKED[0],
            id="not_when vetoes, the next matches",
        ),
        pytest.param("What's your name?", LOCKED[0], id="a locked reply outranks a fact"),
        pytest.param("What's your zip?", "one one two oh one", id="no match, the fact answers"),
        pytest.param("I can't send you a text message.", "A visit, please.", id="an offer denied is no offer"),
    ],
)
def test_locked_replies(talk: Any, turn: str, reply: str) -> None:
    (said,) = talk(turn, pins=LOCKED, rules=PINS)
    assert said.text == reply


def test_a_locked_reply_fires_again_on_every_matching_turn(talk: Any) -> None:
    turns = [f"Would you like a text message, {number}?" for number in range(5)]
    assert {reply.text for reply in talk(*turns, pins=LOCKED, rules=PINS)} == {LOCKED[1]}


def test_the_same_words_over_and_over_cost_patience(talk: Any) -> None:
    replies = talk(*["Your name?"] * 4, patience={"repeats": 2})
    assert [reply.text for reply in replies] == ["Sam Nguyen"] * 3 + [GIVING_UP]


def test_leaving_outranks_a_locked_reply(talk: Any) -> None:
    (reply,) = talk("You're booked. Would you like a text message?", pins=LOCKED, rules=PINS)
    assert reply.text == "Thanks, bye."


def test_refused_offers_are_declined(talk: Any) -> None:
    (reply,) = talk("Would you like me to put you on the waiting list?", refuses=["waitlist"])
    assert reply.text == NO_THANKS


def test_a_refusal_and_an_answer_fit_one_turn(talk: Any) -> None:
    (reply,) = talk("Would you like the waitlist? What's your zip?", refuses=["waitlist"])
    assert reply.text == f"{NO_THANKS} one one two oh one"


def test_a_read_back_is_confirmed(talk: Any) -> None:
    (reply,) = talk("So that's the third of November. Is that right?")
    assert reply.text == YES


CHANGE = {
    "goals": [
        {"id": "offered", "ask": ["A visit?"], "again": "And?", "met_when": {"question": "which_time"}},
        {"id": "visit", "ask": ["Booked?"], "again": "And?", "met_when": {"value": "booked"}},
    ],
    "changes": [{"after": "offered", "fact": "zip", "to": "10001", "say": "Oh, the zip is one oh oh oh one."}],
}


def test_a_change_of_mind_is_said_and_answers_from_then_on(talk: Any) -> None:
    replies = talk("Your zip?", "Which time suits you?", "And the zip?", **CHANGE)
    assert [reply.text for reply in replies] == [
        "one one two oh one",
        "Oh, the zip is one oh oh oh one.",
        "Oh, the zip is one oh oh oh one.",
    ]


def test_a_change_of_mind_happens_once(talk: Any) -> None:
    replies = talk("Which time suits you?", "Which time suits you?", **CHANGE)
    assert replies[1].text != replies[0].text


def test_a_change_of_mind_at_the_first_turn_is_not_lost(make_caller: Any) -> None:
    reply = make_caller(**CHANGE).reply("Hello. Which time suits you?")
    assert reply.text == "Hi, I'd like a visit. Oh, the zip is one oh oh oh one."


def test_a_change_of_mind_is_said_before_leaving(talk: Any) -> None:
    goals = [CHANGE["goals"][0]]
    replies = talk("Which time suits you?", "Fine.", goals=goals, changes=CHANGE["changes"],
                   exit={"when": ["offered"], "say": "Bye."})  # fmt: skip
    assert [(reply.text, reply.hangs_up) for reply in replies] == [
        ("Oh, the zip is one oh oh oh one.", False), ("Bye.", True),
    ]  # fmt: skip
