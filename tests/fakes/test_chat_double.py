"""The scripted endpoint, asked over its socket with a plain HTTP client."""

from __future__ import annotations

import json
import threading
from typing import Any

import httpx
import pytest

from mivas.fakes import BreakOff, Call, ChatDouble, Garbage, Refuse, Reply, ScriptNotFollowed, Stall

ASK = {"model": "double", "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi."}]}
STREAMED = ASK | {"stream": True, "stream_options": {"include_usage": True}}


def post(double: ChatDouble, body: Any = ASK) -> httpx.Response:
    with httpx.Client(trust_env=False, timeout=20) as client:
        return client.post(f"{double.base_url}/chat/completions", json=body, headers={"authorization": "Bearer k"})


def data_lines(response: httpx.Response) -> list[Any]:
    lines = [line.removeprefix("data: ") for line in response.text.split("\n\n") if line]
    assert lines.pop() == "[DONE]"
    return [json.loads(line) for line in lines]


def test_it_lists_its_model() -> None:
    with ChatDouble([]) as double, httpx.Client(trust_env=False) as client:
        assert [one["id"] for one in client.get(f"{double.base_url}/models").json()["data"]] == ["double"]


def test_a_reply_in_one_piece() -> None:
    with ChatDouble([Reply(text="Good day.", calls=(Call(name="look", arguments={"n": 1}),))]) as double:
        body = post(double).json()
    (choice,) = body["choices"]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["content"] == "Good day."
    (call,) = choice["message"]["tool_calls"]
    assert (call["id"], call["function"]) == ("call_0_0", {"name": "look", "arguments": '{"n": 1}'})
    assert (body["usage"]["prompt_tokens"], body["usage"]["completion_tokens"]) == (3, 4)


def test_a_streamed_reply_joins_to_the_same() -> None:
    reply = Reply(text="Good  day, you.", calls=(Call(name="a", arguments='{"x'), Call(name="b", id="mine")))
    with ChatDouble([reply]) as double:
        chunks = data_lines(post(double, STREAMED))
    assert chunks[-1]["choices"] == []
    assert chunks[-1]["usage"]["prompt_tokens"] == 3
    deltas = [chunk["choices"][0]["delta"] for chunk in chunks[:-1]]
    assert "".join(delta.get("content", "") for delta in deltas) == reply.text
    fragments = [call for delta in deltas for call in delta.get("tool_calls", ())]
    joined = ["".join(one["function"]["arguments"] for one in fragments if one["index"] == n) for n in (0, 1)]
    assert joined == ['{"x', "{}"]
    assert [one["id"] for one in fragments if "id" in one] == ["call_0_0", "mine"]


def test_it_keeps_what_it_was_sent() -> None:
    tools = [{"type": "function", "function": {"name": "look", "parameters": {}}}]
    with ChatDouble([Reply(text="A")]) as double:
        post(double, ASK | {"tools": tools})
    (request,) = double.requests
    assert (request.prompt, request.history) == ("Be kind.", [{"role": "user", "content": "Hi."}])
    assert list(request.tools) == ["look"]
    assert request.authorization == "Bearer k"
    assert "Bearer" not in repr(request)


def test_an_http_error_says_when_to_come_back() -> None:
    with ChatDouble([Refuse(status=429, message="slow down", retry_after_ms=1500)]) as double:
        answer = post(double)
    assert (answer.status_code, answer.json()["error"]["message"]) == (429, "slow down")
    assert (answer.headers["retry-after-ms"], answer.headers["retry-after"]) == ("1500", "2")


@pytest.mark.parametrize("body", [ASK, STREAMED])
def test_a_connection_breaks_off(body: Any) -> None:
    with ChatDouble([BreakOff()]) as double, pytest.raises(httpx.RemoteProtocolError):
        post(double, body)


def test_garbage_is_no_json() -> None:
    with ChatDouble([Garbage()]) as double, pytest.raises(ValueError, match="Expecting"):
        post(double).json()


def test_a_stall_lasts_until_it_is_ended() -> None:
    answers: list[httpx.Response] = []
    with ChatDouble([Stall(reply=Reply(text="At last."))]) as double:
        asking = threading.Thread(target=lambda: answers.append(post(double)))
        asking.start()
        assert double.wait_for(1)
        assert not answers
        double.resume()
        asking.join(20)
    assert answers[0].json()["choices"][0]["message"]["content"] == "At last."


def test_a_step_left_over_is_a_failure() -> None:
    with (
        pytest.raises(ScriptNotFollowed, match=r"0 of 1 steps were used; next: Reply\(text='A'"),
        ChatDouble([Reply(text="A")]),
    ):
        pass


def test_a_request_too_many_is_a_failure() -> None:
    with pytest.raises(ScriptNotFollowed, match="1 requests more than the script's 0 steps"), ChatDouble([]) as double:
        assert post(double).status_code == 400


def test_a_failure_inside_is_not_covered_up() -> None:
    with pytest.raises(ZeroDivisionError), ChatDouble([Reply(text="A")]):
        raise ZeroDivisionError


@pytest.mark.parametrize("body", [{}, [], {"messages": 1}, None])
def test_what_is_no_request_is_told(body: Any) -> None:
    with ChatDouble([]) as double:
        assert post(double, body).status_code == 400
        assert double.requests == []


def test_one_script_twice_is_the_same_bytes() -> None:
    def once() -> str:
        with ChatDouble([Reply(text="A b.", calls=(Call(name="x"),))]) as double:
            return post(double, STREAMED).text

    assert once() == once()
