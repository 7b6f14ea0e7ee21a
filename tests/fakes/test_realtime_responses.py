"""A session of a real-time double: answers, tools and calling off. Source: providers.md 2-4 and 9."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from mivas.fakes._realtime_wire import Close
from mivas.fakes.realtime import GROK, OPENAI, PROFILES, QWEN, CallTool, EachAnswer, Pause, RealtimeProfile, Say

EVERY = pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
TRUNCATING = pytest.mark.parametrize("profile", [OPENAI, GROK], ids=["openai", "grok"])


def types(events: list[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in events]


def user_text(text: str) -> dict[str, Any]:
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}


@EVERY
def test_an_answer_in_order(bench: Any, profile: RealtimeProfile) -> None:
    table = bench.begun(profile, [Say("Good day."), CallTool(tool="look", arguments={"n": 1})])
    before = len(table.events)
    table.send("response.create", response={"metadata": {"mine": "1"}})
    table.run(10_000)
    spelled = dict(profile.spelled)
    told = [kind for kind in types([event for _, event in table.events[before:]]) if kind != "ping"]
    wanted = [
        "response.created", *(["rate_limits.updated"] if profile is OPENAI else []),
        "response.output_item.added", "conversation.item.added", "response.content_part.added",
        "response.output_audio_transcript.delta", "response.output_audio.delta",
        "response.output_audio_transcript.delta", "response.output_audio.delta",
        "response.output_audio.done", "response.output_audio_transcript.done", "response.content_part.done",
        "conversation.item.done", "response.output_item.done",
        "response.output_item.added", "conversation.item.added", "response.function_call_arguments.delta",
        "response.function_call_arguments.done", "conversation.item.done", "response.output_item.done",
        "response.done",
    ]  # fmt: skip
    assert list(dict.fromkeys(told)) == list(
        dict.fromkeys(spelled.get(kind, kind) for kind in wanted if spelled.get(kind, kind))
    )
    created, done = table.last("response.created")["response"], table.last("response.done")["response"]
    assert created["metadata"] == done["metadata"] == {"mine": "1"}
    assert created["id"] == done["id"]
    assert (created["status"], done["status"]) == ("in_progress", "completed")
    message, call = done["output"]
    assert message["content"][0]["transcript"] == "Good day."
    assert (call["name"], call["arguments"]) == ("look", '{"n": 1}')
    finished = table.last("response.function_call_arguments.done")
    assert (finished["name"], finished["call_id"], finished["arguments"]) == ("look", call["call_id"], '{"n": 1}')


@EVERY
def test_words_and_sound_join_to_the_whole(bench: Any, profile: RealtimeProfile) -> None:
    table = bench.begun(profile, [Say("Good  day, you.")])
    table.send("response.create")
    table.run(10_000)
    name = profile.spelled.get("response.output_audio_transcript.delta", "response.output_audio_transcript.delta")
    assert "".join(event["delta"] for event in table.of_type(name)) == "Good  day, you."
    name = profile.spelled.get("response.output_audio.delta", "response.output_audio.delta")
    made = b"".join(base64.b64decode(event["delta"]) for event in table.of_type(name))
    assert len(made) == 15 * 60 * 24 * 2


def test_sound_comes_four_times_as_fast_as_it_plays(bench: Any) -> None:
    table = bench(OPENAI, [Pause(1000), Say("x" * 50)])
    table.send("response.create")
    table.run(10_000)
    at = [ms for ms, event in table.events if event["type"] == "response.output_audio.delta"]
    assert at[0] == 1300
    assert at[-1] - at[0] == 29 * 25


def test_text_without_sound(bench: Any) -> None:
    table = bench(OPENAI)
    table.send("response.create", response={"output_modalities": ["text"]})
    table.run(1000)
    assert table.last("response.output_text.done")["text"] == "Hello."
    assert not table.of_type("response.output_audio.delta")
    table = bench(GROK)
    table.send("response.create", response={"modalities": ["text"]})
    table.run(1000)
    assert "".join(event["delta"] for event in table.of_type("response.text.delta")) == "Hello."


@EVERY
def test_one_response_at_a_time(bench: Any, profile: RealtimeProfile) -> None:
    table = bench.begun(profile)
    table.send("response.create")
    assert types(table.send("response.create")) == ["error"]
    expected = {
        "qwen": ("invalid_request_error", "Cannot create response while another response is in progress"),
    }.get(profile.name, ("conversation_already_has_active_response", table.error["message"]))
    assert (table.error["code"], table.error["message"]) == expected
    table.run(5000)
    assert len(table.of_type("response.done")) == 1
    assert "error" not in types(table.send("response.create"))


def test_qwen_lets_a_bare_request_on_an_empty_conversation_pass_by(bench: Any) -> None:
    table = bench(QWEN)
    table.send("response.create")
    assert table.run(30_000) == []
    table.send("conversation.item.create", item=user_text("(connected)"))
    table.send("response.create")
    table.run(5000)
    assert table.last("response.done")["response"]["status"] == "completed"


def test_a_response_beside_the_conversation_leaves_no_item(bench: Any) -> None:
    table = bench(OPENAI)
    table.send("response.create", response={"conversation": "none"})
    table.run(5000)
    assert table.last("response.done")["response"]["conversation_id"] is None
    assert not table.of_type("conversation.item.added")


@pytest.mark.parametrize("response", [{"modalities": ["audio"]}, {"metadata": {"n": 1}}, {"tools": [{}]}, 3])
def test_openai_refuses_such_a_request(bench: Any, response: Any) -> None:
    table = bench(OPENAI)
    assert types(table.send("response.create", response=response)) == ["error"]


def test_usage(bench: Any) -> None:
    table = bench(OPENAI, [Say("One two three.")])
    table.configure(instructions="Be kind and quick.")
    table.speak()
    table.run(100)
    table.send("response.cancel")
    usage = table.last("response.done")["response"]["usage"]
    assert (usage["input_token_details"]["text_tokens"], usage["output_tokens"]) == (5, 0)
    assert usage["input_token_details"]["audio_tokens"] > 10
    table.send("response.create")
    table.run(5000)
    usage = table.last("response.done")["response"]["usage"]
    assert usage["output_token_details"] == {"text_tokens": 3, "audio_tokens": 14 * 60 // 50}
    assert usage["total_tokens"] == usage["input_tokens"] + usage["output_tokens"]


def test_groks_usage_is_empty_or_absent(bench: Any) -> None:
    table = bench(GROK)
    for _ in range(2):
        table.send("response.create")
        table.run(5000)
    assert [event["response"]["usage"] for event in table.of_type("response.done")] == [{}, None]


def test_grok_pings_and_speaks_what_it_is_told(bench: Any) -> None:
    table = bench(GROK)
    table.send("conversation.item.create", item={"type": "force_message", "content": [{"type": "text", "text": "Hi!"}]})
    table.run(40_000)
    assert table.last("response.output_audio_transcript.done")["transcript"] == "Hi!"
    assert len(table.of_type("ping")) == 3


@EVERY
def test_a_tools_round_trip(bench: Any, profile: RealtimeProfile) -> None:
    def answer(session: Any) -> list[Any]:
        if not session.outputs:
            return [CallTool(tool="look"), CallTool(tool="see")]
        return [Say(f"{session.outputs[0].tool}: {session.outputs[0].output}")]

    table = bench.begun(profile, EachAnswer(answer))
    table.send("response.create")
    table.run(1000)
    first, second = table.last("response.done")["response"]["output"]
    assert first["call_id"] != second["call_id"]
    for call in (first, second):
        item = {"type": "function_call_output", "call_id": call["call_id"], "output": "found"}
        assert "error" not in types(table.send("conversation.item.create", item=item))
    assert table.run(5000) == [] or profile is GROK  # nothing is said until it is asked for
    table.send("response.create")
    table.run(5000)
    assert table.last("response.done")["response"]["output"][0]["content"][0]["transcript"] == "look: found"


@EVERY
def test_an_output_for_a_call_nobody_made(bench: Any, profile: RealtimeProfile) -> None:
    table = bench.begun(profile)
    item = {"type": "function_call_output", "call_id": "call_x", "output": "found"}
    assert types(table.send("conversation.item.create", item=item)) == ["error"]
    assert "call_x" in table.error["message"]


@EVERY
def test_cancel(bench: Any, profile: RealtimeProfile) -> None:
    table = bench.begun(profile, [Say("x" * 100)])
    assert types(table.send("response.cancel")) == ["error"]
    assert table.error["code"] == "response_cancel_not_active"
    table.send("response.create")
    table.run(500)
    table.send("response.cancel")
    done = table.last("response.done")["response"]
    assert (done["status"], done["status_details"]["reason"]) == ("cancelled", "client_cancelled")
    assert "response.output_audio.delta" not in types(table.run(10_000))


@TRUNCATING
def test_truncation(bench: Any, profile: RealtimeProfile) -> None:
    table = bench(profile, [Say("x" * 10)])
    table.send("response.create")
    table.run(5000)
    item = table.last("response.done")["response"]["output"][0]["id"]
    table.send("conversation.item.truncate", item_id=item, content_index=0, audio_end_ms=601)
    assert "600ms is already shorter than 601ms" in table.error["message"]
    table.send("conversation.item.truncate", item_id=item, content_index=0, audio_end_ms=600)
    table.send("conversation.item.truncate", item_id=item, content_index=0, audio_end_ms=100)
    assert table.last("conversation.item.truncated")["audio_end_ms"] == 100
    assert types(table.send("conversation.item.truncate", item_id=item, content_index=0, audio_end_ms=101)) == ["error"]
    assert types(table.send("conversation.item.truncate", item_id="no", content_index=0, audio_end_ms=0)) == ["error"]


def test_qwen_knows_no_truncation_and_finishes(bench: Any) -> None:
    table = bench.begun(QWEN)
    assert types(table.send("conversation.item.truncate", item_id="x", content_index=0, audio_end_ms=0)) == ["error"]
    assert types(table.send("session.finish")) == ["session.finished"]
    assert table.others == [Close(1000, "finished")]
    assert types(bench(OPENAI).send("session.finish")) == ["error"]


@EVERY
def test_the_end_of_a_session(bench: Any, profile: RealtimeProfile) -> None:
    table = bench(profile)
    table.run(profile.limit_ms - 1)
    assert table.others == []
    table.run(1)
    assert table.error["code"] == "session_expired"
    assert table.others == [Close(1001, "session expired")]
    assert table.session.next_ms is None
