"""The `llm` caller against the scripted endpoint: what its model is told, and what becomes of what it says."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mivas.caller import CallerBrief, CallerEndpoint, CallerLost, brief_for, load_caller
from mivas.errors import InputError
from mivas.fakes import BreakOff, ChatDouble, ChatRequest, EachTime, Garbage, Refuse, Reply, Step
from mivas.pack import CallerFile, Task, load_pack, load_suite

KEY = "sk-caller-canary-0123456789"
REFERENCE = Path(os.environ.get("MIVAS_REFERENCE") or Path(__file__).parents[3] / "shared" / "reference")
PROGRAM: dict[str, Any] = {
    "version": 1,
    "opening": "Hi, I'd like a visit.",
    "facts": [
        {"id": "member_id", "value": "BQ1", "say": "B Q one", "answers": ["member_id"]},
        {"id": "dob", "value": "1985-11-03", "say": "November third", "answers": ["date_of_birth"]},
    ],
    "goals": [
        {"id": "g", "ask": ["A visit, please."], "met_when": {"value": "booked", "polarity": "yes"}, "again": "And it?"}
    ],
    "pins": [{"index": 0, "when": {"offer": "waitlist"}}],
    "exit": {"when": ["g"], "say": "Thanks, bye."},
    "persona": {"voice": "mature-f", "pace": "slow"},
    "canary": "",
}
ASKED = "May I have your member number and your date of birth?"


def brief(*, approximate: bool = False, **changes: Any) -> CallerBrief:
    given = CallerBrief(
        name="Ann Lee",
        intent="Ask for a visit. Then hang up.",
        traits={"full_name": "Ann Lee", "zip": "11201"},
        locked_replies=("No list.", "Any day."),
        situations=("offers the waitlist. NOT when booked.", "asks for a day"),
        program=CallerFile.model_validate(PROGRAM),
        approximate=approximate,
    )
    return replace(given, **changes)


@pytest.fixture
def talk() -> Any:
    """`talk(script, *agent_turns, brief=...)`: the caller's replies after its first one, and the requests made."""

    def said(script: Sequence[Step], *turns: str, told: CallerBrief) -> tuple[list[Any], list[ChatRequest]]:
        with ChatDouble(script) as double:
            kind = load_caller("llm", CallerEndpoint(model="double", base_url=double.base_url, api_key=KEY))
            caller = kind.phone(told, seed=7)
            replies = [caller.reply(turn, 1000 * number) for number, turn in enumerate(turns)]
        return replies, double.requests

    return said


class TestWording:
    def test_the_first_words_are_the_programs_and_cost_no_request(self, talk: Any) -> None:
        (reply,), requests = talk([], "Hello.", told=brief())
        assert (reply.text, requests) == ("Hi, I'd like a visit.", [])

    def test_a_decision_is_put_in_the_models_words(self, talk: Any) -> None:
        words = "It's B Q one, and I was born November third."
        (_, reply), (request,) = talk([Reply(text=f'"{words}"')], "Hello.", ASKED, told=brief())
        assert (reply.text, reply.notes, reply.ending) == (words, (), None)
        settings = {name: request.body[name] for name in ("model", "temperature", "seed")}
        assert settings == {"model": "double", "temperature": 0, "seed": 7}
        assert request.authorization == f"Bearer {KEY}"

    def test_it_is_told_how_the_caller_sounds_and_what_to_say_and_nothing_else(self, talk: Any) -> None:
        _, (request,) = talk([Reply(text="-")], "Hello.", ASKED, told=brief())
        assert "mature-f" in request.prompt
        assert "slow" in request.prompt
        (message,) = request.history
        assert message["content"].splitlines() == [
            '1. Answer with this, EXACTLY: "B Q one"', '2. Answer with this, EXACTLY: "November third"',
        ]  # fmt: skip
        sent = json.dumps(request.body)
        assert [one for one in ("Ann Lee", "Ask for a visit", "11201", "member_id", "BQ1", ASKED) if one in sent] == []

    def test_a_locked_reply_alone_is_never_asked_about(self, talk: Any) -> None:
        (_, reply), requests = talk([], "Hello.", "Would you like to join our waitlist?", told=brief())
        assert (reply.text, requests) == ("No list.", [])

    def test_words_that_stray_give_way_to_the_templates_and_are_logged(self, talk: Any) -> None:
        words = "B Q one, November third, and my number is 555."
        (_, reply), _ = talk([Reply(text=words)], "Hello.", ASKED, told=brief())
        assert "B Q one" in reply.text
        assert "555" not in reply.text
        assert reply.notes == (f"the model adds '555': {words}",)

    def test_no_words_at_all_give_way_too(self, talk: Any) -> None:
        (_, reply), _ = talk([Reply()], "Hello.", ASKED, told=brief())
        assert "November third" in reply.text
        assert reply.notes == ("the model says nothing: ",)

    def test_a_setting_that_the_server_refuses_is_given_up_for_good(self, talk: Any) -> None:
        script = [Refuse(status=400, message="unknown argument: seed"), Reply(text="-"), Reply(text="-")]
        _, requests = talk(script, "Hello.", ASKED, "And your date of birth?", told=brief())
        assert ["seed" in request.body for request in requests] == [True, False, False]
        assert all(request.body["temperature"] == 0 for request in requests)

    @pytest.mark.parametrize(
        ("script", "told"),
        [
            ([Refuse(status=401, message=f"bad key {KEY}")], "EndpointRefused: .*bad key <key>"),
            ([Refuse(status=500, retry_after_ms=1)] * 3, "EndpointRefused: .*500"),
            ([BreakOff()] * 3, "EndpointUnreachable"),
            ([Garbage(text="{}")], "EndpointGarbled"),
        ],
    )
    def test_an_endpoint_without_an_answer_loses_the_caller(self, talk: Any, script: list[Step], told: str) -> None:
        with pytest.raises(CallerLost, match=told) as caught:
            talk(script, "Hello.", ASKED, told=brief())
        assert KEY not in str(caught.value)


def turn(**said: Any) -> Reply:
    return Reply(text=json.dumps({"leave": False, "replies": [], "say": ""} | said))


class TestDeciding:
    """Tasks without a program: the model decides, within rules."""

    def test_it_is_told_intent_traits_and_situations_and_the_call_so_far(self, talk: Any) -> None:
        script = [turn(say="I'd like a visit."), turn(say="Yes.")]
        _, (first, second) = talk(script, "Hello.", "For you?", told=brief(approximate=True))
        for text in ("Ann Lee", "Ask for a visit. Then hang up.", "- zip: 11201", "1. offers the waitlist. NOT when"):
            assert text in first.prompt
        assert "No list." not in first.prompt
        assert second.history == [
            {"role": "user", "content": "Hello."}, {"role": "assistant", "content": "I'd like a visit."},
            {"role": "user", "content": "For you?"},
        ]  # fmt: skip

    def test_free_words_are_said(self, talk: Any) -> None:
        (reply,), _ = talk([turn(say="My zip is one one two oh one.")], "Hello.", told=brief(approximate=True))
        assert (reply.text, reply.ending, reply.notes) == ("My zip is one one two oh one.", None, ())

    def test_the_first_situation_in_file_order_speaks_word_for_word(self, talk: Any) -> None:
        script = [turn(replies=[2, 1, 9], say="Well, I would rather not.")]
        (reply,), _ = talk(script, "Hello.", told=brief(approximate=True))
        assert reply.text == "No list."

    def test_leaving_outranks_a_locked_reply(self, talk: Any) -> None:
        (reply,), _ = talk([turn(leave=True, replies=[1], say="Bye.")], "Hello.", told=brief(approximate=True))
        assert (reply.text, reply.ending) == ("Bye.", "done")

    @pytest.mark.parametrize("answer", ["Hello!", "{", '{"say": 7}', '{"leave": "perhaps"}', "[]"])
    def test_an_answer_outside_the_form_gives_way_to_the_program(self, talk: Any, answer: str) -> None:
        (reply,), _ = talk([Reply(text=answer)], "Hello.", told=brief(approximate=True))
        assert reply.text == "Hi, I'd like a visit."
        assert reply.notes == (f"the model answers with no such object: {answer}",)

    @pytest.mark.parametrize("words", ["My zip is 11202.", "I'm Bob.", "Write to b@example.org.", "B as in Q W."])
    def test_a_value_that_nobody_gave_is_never_spoken(self, talk: Any, words: str) -> None:
        (reply,), _ = talk([turn(say=words)], "Hello.", told=brief(approximate=True))
        assert reply.text == "Hi, I'd like a visit."
        assert "the model adds" in reply.notes[0]

    def test_silence_and_patience_are_the_programs(self, talk: Any) -> None:
        (_, reply), requests = talk([turn(say="A visit, please.")], "Hello.", "", told=brief(approximate=True))
        assert reply.text
        assert len(requests) == 1

    def test_the_same_words_again_and_again_end_the_call(self) -> None:
        with ChatDouble(EachTime(lambda request: turn(say="A visit."))) as double:
            caller = load_caller("llm", CallerEndpoint(model="m", base_url=double.base_url)).phone(
                brief(approximate=True), seed=0
            )
            endings = [caller.reply("Please hold on, thanks.", n).ending for n in range(12)]
        assert "repeats" in endings


def secrets(task: Task) -> set[str]:
    """Strings of a task that no caller's model may be told."""
    calls = task.file.exp_tool_calls
    names = {call if isinstance(call, str) else call["name"] for call in calls} | set(task.file.exp_handoff_path)
    ids = {word for word in re.findall(r"\w+", json.dumps(calls)) if "_" in word}
    meta = {"exp_", "case_key", "expected_handoff_path", "call_area", "audio_condition", "difficulty", task.task_id}
    return names | ids | meta


def tasks() -> Iterator[Any]:
    own = load_suite(load_pack("healthcare"), Path(__file__).parents[1] / "suites" / "healthcare")
    yield from (pytest.param(task, id=f"own {task.task_id}") for task in own.tasks.values())
    folder = REFERENCE / "tasks" / "healthcare"
    if folder.is_dir():
        public = load_suite(load_pack("healthcare"), folder)
        yield from (pytest.param(task, id=f"public {task.task_id}") for task in public.tasks.values())


@pytest.mark.parametrize("task", list(tasks()))
def test_no_request_holds_a_tool_a_lock_or_a_meta_trait(task: Task) -> None:
    asked = [
        "Hello, how can I help?", "May I have your full name, date of birth, phone number and member number?",
        "I can offer Monday at nine or Tuesday at two. Which works?", "Is that right? Shall I go ahead?",
        "Would you like the waitlist, a text, a callback, or a colleague?", "What do you mean?", "Anything else?",
    ]  # fmt: skip
    with ChatDouble(EachTime(lambda request: turn(say="Well."))) as double:
        caller = load_caller("llm", CallerEndpoint(model="m", base_url=double.base_url)).phone(brief_for(task), seed=0)
        for number, words in enumerate(asked):
            caller.reply(words, number)
    sent = [json.dumps(request.body, ensure_ascii=False) for request in double.requests]
    assert sent
    assert {secret for secret in secrets(task) for body in sent if secret in body} == set()


class TestSettingUp:
    @pytest.mark.parametrize(
        ("endpoint", "told"),
        [
            (CallerEndpoint(base_url="http://127.0.0.1:1/v1"), "--caller llm: no model given"),
            (CallerEndpoint(model="m"), "OPENAI_API_KEY: no key given"),
            (CallerEndpoint(model="m", api_key="a\nb"), "no header takes"),
        ],
    )
    def test_what_is_missing_is_one_line(self, endpoint: CallerEndpoint, told: str) -> None:
        with pytest.raises(InputError, match=told):
            load_caller("llm", endpoint)

    def test_without_the_client_library(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "openai", None)
        with pytest.raises(InputError, match=r"pip install 'mivas\[chat\]'"):
            load_caller("llm", CallerEndpoint(model="m", api_key=KEY))

    def test_no_picture_of_it_shows_the_key(self) -> None:
        endpoint = CallerEndpoint(model="m", api_key=KEY)
        assert KEY not in repr(endpoint) + repr(vars(load_caller("llm", endpoint)))
