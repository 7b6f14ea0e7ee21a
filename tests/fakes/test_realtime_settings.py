"""A session of a real-time double: what a client may configure, and when. Source: providers.md 2-4 and 9."""

from __future__ import annotations

from typing import Any

import pytest

from mivas.fakes.realtime import GROK, OPENAI, PROFILES, QWEN, RealtimeProfile

LOOK = {"type": "function", "name": "look", "parameters": {"type": "object", "properties": {}}}
EVERY = pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)


def types(events: list[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in events]


def test_what_comes_first(bench: Any) -> None:
    assert types([event for _, event in bench(OPENAI).events]) == ["session.created"]
    assert types([event for _, event in bench(GROK).events]) == ["session.created", "conversation.created", "ping"]
    assert types([event for _, event in bench(QWEN).events]) == ["session.created"]


@EVERY
def test_an_update_changes_only_what_it_holds(bench: Any, profile: RealtimeProfile) -> None:
    table = bench(profile)
    table.configure(instructions="Be kind.")
    (told,) = table.configure(tools=[])
    assert told["type"] == "session.updated"
    assert told["session"]["instructions"] == "Be kind."
    created = table.of_type("session.created")[0]["session"]
    assert told["session"].keys() == created.keys()
    table.configure(instructions="")
    assert table.session.settings.instructions == ""


def test_parts_of_the_session_merge(bench: Any) -> None:
    table = bench(OPENAI)
    table.configure(audio={"input": {"transcription": {"model": "x"}}})
    table.configure(audio={"output": {"voice": "ash"}})
    audio = table.last("session.updated")["session"]["audio"]
    assert audio["input"]["transcription"] == {"model": "x"}
    assert (audio["output"]["voice"], audio["output"]["format"]["rate"]) == ("ash", 24_000)


def test_turn_detection_merges_within_a_type_and_goes_with_null(bench: Any) -> None:
    table = bench(OPENAI)
    table.configure(audio={"input": {"turn_detection": {"type": "server_vad", "silence_duration_ms": 900}}})
    detection = table.last("session.updated")["session"]["audio"]["input"]["turn_detection"]
    assert (detection["silence_duration_ms"], detection["threshold"]) == (900, 0.5)
    table.configure(audio={"input": {"turn_detection": {"type": "semantic_vad", "eagerness": "low"}}})
    detection = table.last("session.updated")["session"]["audio"]["input"]["turn_detection"]
    assert detection == {
        "type": "semantic_vad", "eagerness": "low", "create_response": True, "interrupt_response": True
    }  # fmt: skip
    table.configure(audio={"input": {"turn_detection": None}})
    table.speak()
    assert not table.of_type("input_audio_buffer.speech_started")


@pytest.mark.parametrize(
    ("session", "param"),
    [
        ({"turn_detection": None}, "session.turn_detection"),
        ({"colour": "red"}, "session.colour"),
        ({"audio": {"input": {"turn_detecton": None}}}, "session.audio.input.turn_detecton"),
        ({"audio": {"output": {"format": {"type": "audio/pcm", "rate": 16_000}}}}, "session.audio.output.format.rate"),
        ({"output_modalities": ["text", "audio"]}, "session.output_modalities"),
        ({"model": "another"}, "session.model"),
        ({"tools": [{"type": "function", "function": {"name": "look"}}]}, "session.tools[0].name"),
        ({"tools": [LOOK, {**LOOK, "name": "../look"}]}, "session.tools[1].name"),
        ({"tools": [{"type": "web_search"}]}, "session.tools[0].type"),
    ],
)
def test_openai_refuses_and_keeps_what_was(bench: Any, session: dict[str, Any], param: str) -> None:
    table = bench(OPENAI)
    table.configure(instructions="Be kind.", tools=[LOOK])
    before = table.session.settings.effective
    assert types(table.configure(instructions="Be rude.", **session)) == ["error"]
    assert (table.error["type"], table.error["param"]) == ("invalid_request_error", param)
    assert table.session.settings.effective == before


def test_openai_wants_the_type(bench: Any) -> None:
    table = bench(OPENAI)
    table.send("session.update", event_id="mine", session={"instructions": "x"})
    assert (table.error["param"], table.error["event_id"]) == ("session.type", "mine")


def test_where_grok_and_qwen_differ_in_settings(bench: Any) -> None:
    table = bench(GROK)
    assert types(table.configure(turn_detection=None, tools=[{"type": "web_search"}], colour="red")) == [
        "session.updated"
    ]
    table = bench(QWEN)
    assert types(table.configure(tools=[{"type": "function", "function": {"name": "look"}}])) == ["session.updated"]
    assert types(table.configure(tools=[LOOK])) == ["error"]
    assert types(table.configure(audio={})) == ["error"]
    assert types(table.configure(input_audio_format="g711_ulaw")) == ["error"]


@pytest.mark.parametrize("profile", [OPENAI, GROK], ids=["openai", "grok"])
def test_a_voice_is_frozen_by_sound(bench: Any, profile: RealtimeProfile) -> None:
    table = bench(profile)
    voice = {"audio": {"output": {"voice": "ash"}}} if profile is OPENAI else {"voice": "ash"}
    assert types(table.configure(**voice)) == ["session.updated"]
    table.send("response.create")
    table.run(5000)
    assert types(table.configure(**voice)) == ["session.updated"]  # the same one
    other = {"audio": {"output": {"voice": "sage"}}} if profile is OPENAI else {"voice": "sage"}
    assert types(table.configure(**other)) == ["error"]
    assert table.error["code"] == "cannot_update_voice"


def test_qwen_ignores_a_late_voice_and_a_late_turn_detection(bench: Any) -> None:
    table = bench(QWEN)
    table.configure(voice="longanqian")
    table.configure(voice="another", turn_detection={"type": "server_vad", "threshold": 0.1})
    told = table.last("session.updated")["session"]
    assert (told["voice"], told["turn_detection"]["threshold"]) == ("longanqian", 0.1)
    table.speak()
    table.configure(turn_detection=None)
    assert table.last("session.updated")["session"]["turn_detection"]["threshold"] == 0.1


def test_grok_takes_turn_detection_and_formats_first_only(bench: Any) -> None:
    table = bench(GROK)
    table.configure(audio={"input": {"format": {"type": "audio/pcmu"}}, "output": {"format": {"type": "audio/pcma"}}})
    table.configure(audio={"input": {"format": {"type": "audio/pcm", "rate": 8000}}}, turn_detection=None)
    told = table.last("session.updated")["session"]
    assert told["audio"]["input"]["format"] == {"type": "audio/pcmu"}
    assert told["turn_detection"]["type"] == "server_vad"
