"""The `chat` harness against a scripted endpoint: what it sends for each node, what it makes of each answer."""

from __future__ import annotations

import asyncio
import json
import sys
import traceback
from collections.abc import Sequence
from typing import Any

import pytest

from mivas import endpoint as endpoints
from mivas.errors import InputError
from mivas.fakes import BreakOff, Call, ChatDouble, ChatRequest, Garbage, Refuse, Reply, Stall, Step
from mivas.harness import Endpoint, EndpointError, chat, load_harness
from mivas.harness._chat import MOST_ROUNDS
from mivas.harness._projection import chat_schema
from mivas.line import Note, Usage

KEY = "sk-0123456789-canary"
TO_ORDERS = Call(name="to_orders")


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def talk(clinic: Any) -> Any:
    """`talk(script, *heard)`: one call at the clinic; returns what the agent said and the requests it sent."""

    def talked(script: Sequence[Step], *heard: str | None) -> tuple[list[str], list[ChatRequest]]:
        async def call(endpoint: Endpoint) -> list[str]:
            agent = chat("double").at(endpoint).answer(clinic.desk)
            try:
                return [await agent.turn(words) for words in heard]
            finally:
                await agent.aclose()

        with ChatDouble(script) as double:
            said = asyncio.run(call(Endpoint(base_url=double.base_url, api_key=KEY)))
        return said, double.requests

    return talked


def notes(bench: Any) -> list[tuple[str, str]]:
    return [(event.code, event.text) for event in bench.events if isinstance(event, Note)]


def results(request: ChatRequest) -> list[Any]:
    return [json.loads(message["content"]) for message in request.history if message["role"] == "tool"]


class TestWhatIsSent:
    def test_the_entry_nodes_prompt_tools_and_nothing_heard_yet(self, talk: Any) -> None:
        said, (request,) = talk([Reply(text="Hello.")], None)
        assert said == ["Hello."]
        assert (request.prompt, request.history) == ("You are desk.", [])
        assert list(request.tools) == ["to_orders", "to_nurse", "end_call"]
        assert request.tools["to_orders"]["parameters"] == {"type": "object", "properties": {}, "title": "to_orders"}
        assert (request.body["model"], request.body["stream"]) == ("double", True)
        assert request.authorization == f"Bearer {KEY}"

    def test_what_was_said_before_is_kept(self, talk: Any) -> None:
        _, (_, second) = talk([Reply(text="Hello."), Reply(text="Sure.")], None, "Hi.")
        assert second.history == [{"role": "assistant", "content": "Hello."}, {"role": "user", "content": "Hi."}]

    def test_a_silent_caller_is_told_as_silence(self, talk: Any) -> None:
        _, (request,) = talk([Reply()], "")
        assert request.history == [{"role": "user", "content": "[silence]"}]

    def test_after_a_handoff_the_next_request_is_the_targets_with_the_history_so_far(self, talk: Any) -> None:
        said, requests = talk(
            [
                Reply(text="I'll pass you on.", calls=(TO_ORDERS,)),
                Reply(calls=(Call(name="look_up", arguments={"order": 7}),)),
                Reply(text="It left today."),
                Reply(text="Bye."),
            ],
            "Where is order 7?",
            "Thanks.",
        )
        assert said == ["I'll pass you on. It left today.", "Bye."]
        assert [request.prompt for request in requests] == ["You are desk.", *["You are orders."] * 3]
        assert list(requests[1].tools) == ["look_up", "to_returns", "end_call", "fetch_person"]
        user, calling, moved = requests[1].history
        assert user["content"] == "Where is order 7?"
        assert (calling["content"], calling["tool_calls"][0]["function"]) == (
            "I'll pass you on.", {"name": "to_orders", "arguments": "{}"},
        )  # fmt: skip
        assert (moved["tool_call_id"], json.loads(moved["content"])) == (
            calling["tool_calls"][0]["id"], {"success": True, "role": "orders"},
        )  # fmt: skip
        assert requests[2].history[:3] == requests[1].history
        assert requests[3].history[-2:] == [
            {"role": "assistant", "content": "It left today."}, {"role": "user", "content": "Thanks."},
        ]  # fmt: skip

    def test_half_a_surrogate_pair_goes_out_as_a_question_mark(self, talk: Any) -> None:
        reply = Reply(text="A\ud800.", calls=(Call(name="to_\udfff", arguments='{"a": "\ud800"}'),))
        _, (_, second) = talk([reply, Reply(text="Sorry.")], "Hi \ud800")
        user, calling, _ = second.history
        assert (user["content"], calling["content"]) == ("Hi ?", "A?.")


class TestTools:
    def test_parallel_calls_are_carried_out_in_order(self, talk: Any, clinic: Any) -> None:
        pair = (Call(name="look_up", arguments={"n": 1}), Call(name="look_up", arguments={"n": 2}))
        _, requests = talk([Reply(calls=(TO_ORDERS,)), Reply(calls=pair), Reply(text="Both.")], "Two orders.")
        assert [post[1] for post in clinic.tools.posts] == [{"n": 1}, {"n": 2}]
        calling, first, second = requests[-1].history[-3:]
        ids = [call["id"] for call in calling["tool_calls"]]
        assert [first["tool_call_id"], second["tool_call_id"]] == ids

    def test_a_call_after_a_handoff_in_one_answer_is_the_next_nodes_to_allow(self, talk: Any, clinic: Any) -> None:
        calls = (TO_ORDERS, Call(name="to_nurse"), Call(name="look_up"))
        _, requests = talk([Reply(calls=calls), Reply(text="Ok.")], "Hi.")
        moved, refused, done = results(requests[-1])
        assert (moved["success"], refused["success"], done["ok"]) == (True, False, True)
        assert clinic.desk.node.id == "orders"

    @pytest.mark.parametrize("raw", ['{"n": ', "[1]", "null", "seven", '{"a":' * 30_000])
    def test_malformed_arguments_are_an_error_result_and_nothing_is_done(
        self, talk: Any, clinic: Any, raw: str
    ) -> None:
        broken = Call(name="look_up", arguments=raw)
        _, requests = talk([Reply(calls=(TO_ORDERS,)), Reply(calls=(broken,)), Reply(text="Again?")], "Hi.")
        assert clinic.tools.posts == []
        output = results(requests[-1])[-1]
        assert output["success"] is False
        assert "arguments of look_up are no JSON" in output["error"]
        assert requests[-1].history[-2]["tool_calls"][0]["function"]["arguments"] == "{}"
        assert [code for code, _ in notes(clinic)] == ["malformed_arguments"]

    def test_no_arguments_at_all_are_none(self, talk: Any, clinic: Any) -> None:
        talk([Reply(calls=(TO_ORDERS,)), Reply(calls=(Call(name="look_up", arguments=""),)), Reply()], "Hi.")
        assert clinic.tools.posts[0][1] == {}

    def test_a_tool_of_another_node_is_an_error_result(self, talk: Any, clinic: Any) -> None:
        _, requests = talk([Reply(calls=(Call(name="take_back"),)), Reply(text="Oh.")], "Hi.")
        assert "not available" in results(requests[-1])[0]["error"]
        assert clinic.tools.posts == []

    @pytest.mark.parametrize("id", ["", "0"])
    def test_ids_that_start_again_in_every_answer_are_calls_of_their_own(self, talk: Any, clinic: Any, id: str) -> None:
        def look(n: int) -> Reply:
            return Reply(calls=(Call(name="look_up", arguments={"n": n}, id=id),))

        _, requests = talk([Reply(calls=(Call(name="to_orders", id=id),)), look(1), look(2), Reply()], "Hi.")
        assert [post[1] for post in clinic.tools.posts] == [{"n": 1}, {"n": 2}]
        ids = [message["tool_call_id"] for message in requests[-1].history if message["role"] == "tool"]
        assert len(set(ids)) == 3

    def test_one_id_twice_in_an_answer_is_two_calls(self, talk: Any, clinic: Any) -> None:
        pair = tuple(Call(name="look_up", arguments={"n": n}, id="0") for n in (1, 2))
        talk([Reply(calls=(TO_ORDERS,)), Reply(calls=pair), Reply()], "Hi.")
        assert [post[1] for post in clinic.tools.posts] == [{"n": 1}, {"n": 2}]

    def test_calls_that_a_server_all_numbers_zero_stay_apart(self, talk: Any, clinic: Any) -> None:
        fragments = [
            {"index": 0, "id": f"id-{n}", "function": {"name": "look_up", "arguments": json.dumps({"n": n})}}
            for n in (1, 2)
        ]
        choice = {"index": 0, "delta": {"tool_calls": fragments}, "finish_reason": "tool_calls"}
        talk([Reply(calls=(TO_ORDERS,)), Garbage(text=json.dumps({"choices": [choice]})), Reply()], "Hi.")
        assert [post[1] for post in clinic.tools.posts] == [{"n": 1}, {"n": 2}]

    def test_end_call_ends_the_turn_with_the_words_said_so_far(self, talk: Any, clinic: Any) -> None:
        said, _ = talk([Reply(text="Goodbye.", calls=(Call(name="end_call"),))], "Bye.")
        assert said == ["Goodbye."]
        assert clinic.desk.hang_up.reason == "end_call"

    def test_a_turn_of_tool_calls_only_has_an_end(self, talk: Any, clinic: Any) -> None:
        said, _ = talk([Reply(calls=(Call(name="nothing"),))] * MOST_ROUNDS, "Hi.")
        assert said == [""]
        assert notes(clinic)[-1][0] == "tool_rounds"


class TestAnswers:
    def test_a_refusal_is_what_the_agent_says(self, talk: Any, clinic: Any) -> None:
        said, requests = talk([Reply(refusal="I can't help with that."), Reply(text="Hm.")], "Hi.", "Why?")
        assert said == ["I can't help with that.", "Hm."]
        assert requests[1].history[1] == {"role": "assistant", "content": "I can't help with that."}
        assert notes(clinic) == [("refusal", "I can't help with that.")]

    def test_tokens_are_logged_for_the_node_that_used_them(self, talk: Any, clinic: Any) -> None:
        talk([Reply(calls=(TO_ORDERS,)), Reply(text="One two three.")], "Hi.")
        used = [event for event in clinic.events if isinstance(event, Usage)]
        assert [(one.node, one.input_text_tokens, one.cached_text_tokens, one.output_text_tokens) for one in used] == [
            ("desk", 4, 0, 1), ("orders", 8, 0, 3),
        ]  # fmt: skip

    def test_tokens_nobody_counted_are_no_event(self, talk: Any, clinic: Any) -> None:
        talk([Reply(text="Hi.", reports_usage=False)], None)
        assert clinic.events == []

    @pytest.mark.parametrize("status", [429, 500])
    def test_an_http_error_is_tried_again(self, talk: Any, status: int) -> None:
        said, requests = talk([Refuse(status=status, retry_after_ms=1), Reply(text="Here.")], None)
        assert said == ["Here."]
        assert requests[0].body == requests[1].body


class TestFailures:
    @pytest.mark.parametrize(
        ("script", "name", "told"),
        [
            ([Refuse(status=429, retry_after_ms=1)] * 3, "EndpointRefused", "429"),
            ([Refuse(status=500, retry_after_ms=1)] * 3, "EndpointRefused", "500"),
            ([Refuse(status=401, message=f"no such key: {KEY}")], "EndpointRefused", "no such key: <key>"),
            ([BreakOff()], "EndpointUnreachable", "peer closed connection"),
            ([Garbage()], "EndpointGarbled", "Expecting property name"),
            ([Garbage(text="[]")], "EndpointGarbled", "attribute"),
            ([Garbage(text='{"choices": [{"delta": {}}]}')], "EndpointUnreachable", "broke off"),
            ([Garbage(text='{"error": {"message": "out of memory"}}')], "EndpointGarbled", "out of memory"),
        ],
    )
    def test_no_answer_is_told_by_its_class_and_without_the_key(
        self, talk: Any, script: list[Step], name: str, told: str
    ) -> None:
        with pytest.raises(EndpointError, match=told) as caught:
            talk(script, None)
        assert type(caught.value).__name__ == name
        assert KEY not in "".join(traceback.format_exception(caught.value))

    def test_nobody_listens(self, clinic: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(endpoints, "RETRIES", 0)
        with ChatDouble([]) as double:
            endpoint = Endpoint(base_url=double.base_url)
        with pytest.raises(EndpointError, match=r"\w") as caught:
            asyncio.run(chat("double").at(endpoint).answer(clinic.desk).turn(None))
        assert type(caught.value).__name__ == "EndpointUnreachable"

    def test_an_endpoint_that_keeps_silent_is_left(self, talk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(endpoints, "RETRIES", 0)
        monkeypatch.setattr(endpoints, "REQUEST_TIMEOUT_S", 0.05)
        with pytest.raises(EndpointError, match=r"silent for 0\.05 s") as caught:
            talk([Stall()], None)
        assert type(caught.value).__name__ == "EndpointTooSlow"

    def test_a_turn_can_be_cancelled_while_it_waits(self, clinic: Any) -> None:
        async def cancelled(double: ChatDouble) -> None:
            agent = chat("double").at(Endpoint(base_url=double.base_url)).answer(clinic.desk)
            turn = asyncio.create_task(agent.turn(None), name="turn")
            await asyncio.to_thread(double.wait_for, 1)
            turn.cancel()
            with pytest.raises(asyncio.CancelledError):
                await turn
            await agent.aclose()

        with ChatDouble([Stall()]) as double:
            asyncio.run(cancelled(double))
        assert clinic.events == []


class TestSettingUp:
    def test_the_model_is_the_argument(self) -> None:
        harness = load_harness("chat:acme/model:7b", Endpoint(base_url="http://127.0.0.1:1/v1"))
        assert harness.name == "chat:acme/model:7b"
        assert (harness.capabilities.modes, harness.capabilities.clock) == (("text",), "real")

    def test_without_a_model(self) -> None:
        with pytest.raises(InputError, match="no model given"):
            load_harness("chat", Endpoint(base_url="http://127.0.0.1:1/v1"))

    def test_the_providers_own_address_needs_a_key(self) -> None:
        with pytest.raises(InputError, match="OPENAI_API_KEY: no key given"):
            load_harness("chat:m", Endpoint())

    @pytest.mark.parametrize("odd", ["\n", "\x00", "é"])
    def test_a_key_that_no_header_takes_is_not_quoted(self, odd: str) -> None:
        with pytest.raises(InputError, match="characters no header takes") as caught:
            load_harness("chat:m", Endpoint(api_key=KEY + odd + KEY))
        assert KEY not in str(caught.value)

    def test_without_the_client_library(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "openai", None)
        with pytest.raises(InputError, match=r"pip install 'mivas\[chat\]'"):
            load_harness("chat:m", Endpoint(api_key=KEY))

    def test_unconnected_it_can_be_looked_at_but_takes_no_call(self, clinic: Any) -> None:
        with pytest.raises(InputError, match="no endpoint given"):
            load_harness("chat:m").answer(clinic.desk)

    def test_an_address_for_a_harness_that_takes_none(self) -> None:
        with pytest.raises(InputError, match="harness oracle reaches no endpoint"):
            load_harness("oracle", Endpoint(base_url="http://127.0.0.1:1/v1"))
        assert load_harness("oracle", Endpoint(api_key=KEY)).name == "oracle"

    def test_no_picture_of_it_shows_the_key(self) -> None:
        harness = load_harness("chat:m", Endpoint(api_key=KEY))
        assert KEY not in repr(harness)


def test_a_schema_keeps_everything_but_closedness() -> None:
    item = {"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}, "required": ["n"]}
    schema = {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "additionalProperties": {"type": "string", "enum": ["additionalProperties"], "description": "Odd name."},
            "day": {"type": "string", "pattern": "^[0-9-]+$", "format": "date", "minLength": 1, "maxLength": 10},
            "list": {"type": "array", "minItems": 1, "items": item | {"additionalProperties": False}},
            "either": {"anyOf": [item | {"additionalProperties": True}, {"type": "null"}, True]},
            "constant": {"const": {"additionalProperties": 1}},
        },
        "required": ["day"],
    }
    projected = chat_schema(schema)
    assert "additionalProperties" not in projected
    assert set(projected) == {"type", "properties", "required"}
    properties = projected["properties"]
    assert {name: properties[name] for name in ("additionalProperties", "day", "constant")} == {
        name: schema["properties"][name]
        for name in ("additionalProperties", "day", "constant")  # type: ignore[index]
    }
    assert properties["list"]["items"] == item
    assert properties["either"] == {"anyOf": [item, {"type": "null"}, True]}
