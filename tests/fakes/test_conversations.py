"""Scripted conversations: which script a request belongs to, where in it, and what a bad file is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from mivas.errors import InputError
from mivas.fakes import (
    BreakOff,
    ChatDouble,
    ChatRequest,
    Conversations,
    EachTime,
    Reply,
    ScriptNotFollowed,
    Stall,
    read_conversations,
)

GREETING = {"role": "assistant", "content": "Good day."}
KETTLE = {
    "version": 1,
    "opens": "my kettle leaks",
    "answers": [
        {"calls": [{"name": "look"}]},
        {"say": "Which day?"},
        {"heard": ["May 5th"], "say": "See you.", "calls": [{"name": "book", "arguments": {"day": "05/05"}}]},
    ],
}
OPENING = {"version": 1, "opens": None, "answers": [{"say": "Repairs, hello!"}, {"say": "Sure."}]}


@pytest.fixture
def scripts(tmp_path: Path) -> Any:
    """`scripts(**documents)`: the scripts as read from files of those names."""

    def read(**documents: Any) -> Conversations:
        for name, document in documents.items():
            (tmp_path / f"{name}.json").write_text(document if isinstance(document, str) else json.dumps(document))
        return read_conversations(tmp_path)

    return read


def asking(*history: dict[str, Any]) -> ChatRequest:
    return ChatRequest(body={"messages": [{"role": "system", "content": "Be kind."}, *history]}, authorization=None)


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def said(text: str | None) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


class TestPlace:
    def test_a_call_is_known_by_the_callers_first_words_and_placed_by_the_answers_given(self, scripts: Any) -> None:
        script = scripts(kettle=KETTLE, opening=OPENING)
        first = user("Hi! My KETTLE leaks.")
        looked = [GREETING, first, said(None), {"role": "tool", "tool_call_id": "1", "content": "{}"}]
        assert script.step(asking(GREETING, first)).calls[0].name == "look"
        assert script.step(asking(*looked)) == Reply(text="Which day?")
        last = script.step(asking(*looked, said("Which day?"), user("On May 5th, please.")))
        assert (last.text, last.calls[0].arguments) == ("See you.", {"day": "05/05"})

    def test_asked_again_it_answers_again(self, scripts: Any) -> None:
        script = scripts(kettle=KETTLE)
        once, again = (script.step(asking(user("My kettle leaks."))) for _ in range(2))
        assert once == again

    def test_a_script_without_an_opening_is_the_agents_to_open(self, scripts: Any) -> None:
        script = scripts(kettle=KETTLE, opening=OPENING)
        assert script.step(asking()) == Reply(text="Repairs, hello!")
        assert script.step(asking(said("Repairs, hello!"), user("My kettle leaks."))) == Reply(text="Sure.")

    @pytest.mark.parametrize(
        ("history", "told"),
        [
            pytest.param([GREETING, user("Wrong number.")], "no script for a call that begins: wrong number", id="who"),
            pytest.param([], "begins: without a word", id="nobody opens"),
            pytest.param(
                [user("My kettle leaks."), said(None), said("Which day?"), user("Some day in May.")],
                "script kettle, answer 3: the caller hasn't said 'May 5th', last: Some day in May.",
                id="not heard",
            ),
            pytest.param(
                [user("My kettle leaks. May 5th!"), said(None), said("a"), said("b"), user("And now?")],
                "script kettle is at its end; the caller said: And now?",
                id="end",
            ),
        ],
    )
    def test_what_no_script_foresees_is_told_to_the_client(
        self, scripts: Any, history: list[dict[str, Any]], told: str
    ) -> None:
        request = {"model": "m", "messages": history}
        script = scripts(kettle=KETTLE)
        with pytest.raises(ScriptNotFollowed), ChatDouble(script) as double, httpx.Client(trust_env=False) as client:
            answer = client.post(f"{double.base_url}/chat/completions", json=request)
        assert answer.status_code == 400
        assert told in answer.json()["error"]["message"]

    def test_what_was_not_heard_is_asked_again_in_other_words_until_it_is(self, scripts: Any) -> None:
        answers = [{"say": "Which day?"}, {"heard": ["May"], "again": "When, please?", "say": "See you."}]
        script = scripts(kettle=KETTLE | {"answers": answers, "at_end": "Anything else?"})
        call = [user("My kettle leaks.")]
        for heard, told in [
            ("Pardon?", "Which day?"), ("What?", "When, please?"), ("In May.", "When, please?"), ("Well?", "See you."),
            ("Hm.", "Anything else?"), ("Hm.", "Anything else?"),
        ]:  # fmt: skip
            assert script.step(asking(*call)) == Reply(text=told)
            call += [said(told), user(heard)]
        assert script.complaint() is None

    def test_a_date_is_no_part_of_a_longer_word(self, scripts: Any) -> None:
        script = scripts(kettle=KETTLE | {"answers": [{"heard": ["art"], "say": "Yes."}]})
        with pytest.raises(Exception, match="hasn't said 'art'"):
            script.step(asking(user("My kettle leaks, start!")))


class TestTheEnd:
    def test_scripts_not_played_to_their_end_are_a_complaint(self, scripts: Any) -> None:
        script = scripts(kettle=KETTLE, opening=OPENING)
        script.step(asking(user("My kettle leaks.")))
        assert script.complaint() == "scripts not played to their end: kettle (1 of 3), opening (0 of 2)"

    def test_whole_scripts_are_none(self, scripts: Any) -> None:
        script = scripts(opening=OPENING)
        script.step(asking())
        script.step(asking(said("Repairs, hello!"), user("Hi.")))
        assert script.complaint() is None


class TestFiles:
    @pytest.mark.parametrize(
        ("document", "where", "told"),
        [
            pytest.param("{", "bad.json", "Invalid JSON", id="no JSON"),
            pytest.param(KETTLE | {"version": 2}, "bad.json/version", "Input should be 1", id="version"),
            pytest.param(KETTLE | {"open": ""}, "bad.json/open", "Extra inputs", id="unknown key"),
            pytest.param(KETTLE | {"opens": "?!"}, "bad.json", "letters or digits", id="no opening words"),
            pytest.param(KETTLE | {"answers": []}, "bad.json", "needs an answer", id="empty"),
            pytest.param(KETTLE | {"answers": [{}]}, "bad.json/answers/0", "words or calls", id="does nothing"),
            pytest.param(KETTLE | {"answers": [{"say": "A", "fault": "stall"}]}, "answers/0", "or a fault", id="both"),
            pytest.param(KETTLE | {"answers": [{"fault": "fire"}]}, "answers/0/fault", "stall", id="unknown fault"),
            pytest.param(KETTLE | {"answers": [{"say": "A", "again": "B"}]}, "answers/0", "heard beside", id="again"),
            pytest.param(OPENING | {"answers": [{"calls": [{"name": "a"}]}]}, "bad.json", "open the call", id="mute"),
        ],
    )
    def test_a_file_that_is_no_script_is_one_line(self, scripts: Any, document: Any, where: str, told: str) -> None:
        with pytest.raises(InputError, match=told) as caught:
            scripts(bad=document)
        assert where in str(caught.value)
        assert "\n" not in str(caught.value)

    def test_a_folder_without_scripts(self, tmp_path: Path) -> None:
        for folder in (tmp_path, tmp_path / "none"):
            with pytest.raises(InputError, match="holds no script"):
                read_conversations(folder)

    def test_faults_and_broken_arguments_are_steps_like_any_other(self, scripts: Any) -> None:
        answers = [{"fault": "break-off"}, {"calls": [{"name": "a", "arguments": "{"}]}, {"fault": "stall"}]
        script = scripts(kettle=KETTLE | {"answers": answers})
        first = user("My kettle leaks.")
        steps = [script.step(asking(first, *[said("x")] * n)) for n in range(3)]
        assert (steps[0], steps[1].calls[0].raw_arguments, steps[2]) == (BreakOff(), "{", Stall())


def test_a_function_may_answer_each_request() -> None:
    echo = EachTime(lambda request: Reply(text=request.said("user")[-1].upper()))
    with ChatDouble(echo) as double, httpx.Client(trust_env=False) as client:
        for text in ("a", "b"):
            body = {"model": "m", "messages": [user(text)]}
            answer = client.post(f"{double.base_url}/chat/completions", json=body).json()
            assert answer["choices"][0]["message"]["content"] == text.upper()
