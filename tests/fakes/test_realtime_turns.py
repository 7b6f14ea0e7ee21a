"""A session of a real-time double: the caller's turns by ear and by hand. Source: providers.md 2-4 and 9."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from mivas.fakes.realtime import GROK, OPENAI, PROFILES, QWEN, RealtimeProfile, Say

EVERY = pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)


def types(events: list[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in events]


@EVERY
def test_a_spoken_turn(bench: Any, profile: RealtimeProfile) -> None:
    table = bench(profile)
    told = types(table.speak())
    item = "conversation.item.created" if profile is QWEN else "conversation.item.added"
    wanted = ["input_audio_buffer.speech_started", "input_audio_buffer.speech_stopped", "input_audio_buffer.committed"]
    assert told[:4] == [*wanted, item]
    assert "response.created" in told
    names = {table.last(kind)["item_id"] for kind in wanted}
    assert names == {table.last(item)["item"]["id"]}
    table.run(5000)
    assert table.last("response.done")["response"]["status"] == "completed"


def test_where_a_turn_lies(bench: Any, sound: Any) -> None:
    table = bench(OPENAI)
    table.speak(bytes(48_000))  # a second of silence
    table.speak(sound("x" * 20))
    assert abs(table.last("input_audio_buffer.speech_started")["audio_start_ms"] - (1200 - 300)) <= 60
    assert abs(table.last("input_audio_buffer.speech_stopped")["audio_end_ms"] - (1200 + 1200 + 500)) <= 80


def test_the_end_of_a_turn_is_measured_in_sound_not_in_time(bench: Any, sound: Any) -> None:
    table = bench(OPENAI)
    table.speak(sound(after_ms=300))
    table.run(60_000)
    assert not table.of_type("input_audio_buffer.speech_stopped")
    table.speak(bytes(24 * 2 * 300))
    assert table.of_type("input_audio_buffer.speech_stopped")


@pytest.mark.parametrize(("silence_ms", "ends"), [(200, True), (1400, False)])
def test_silence_is_the_clients_choice(bench: Any, sound: Any, silence_ms: int, ends: bool) -> None:
    table = bench(OPENAI)
    table.configure(audio={"input": {"turn_detection": {"type": "server_vad", "silence_duration_ms": silence_ms}}})
    table.speak(sound(after_ms=1000))
    assert bool(table.of_type("input_audio_buffer.speech_stopped")) == ends


def test_the_callers_words_come_after_the_answer_began(bench: Any) -> None:
    table = bench(OPENAI, words=["I need some help"])
    table.configure(audio={"input": {"transcription": {"model": "x"}}})
    told = table.speak()
    assert "response.created" in types(told)
    table.run(5000)
    order = types([event for _, event in table.events])
    done = "conversation.item.input_audio_transcription.completed"
    assert order.index(done) > order.index("response.output_audio.delta")
    assert table.last(done)["transcript"] == "I need some help"
    assert table.last(done)["item_id"] == table.last("input_audio_buffer.committed")["item_id"]
    table.send("conversation.item.retrieve", item_id=table.last(done)["item_id"])
    assert table.last("conversation.item.retrieved")["item"]["content"][0]["transcript"] == "I need some help"


def test_no_words_unless_they_are_asked_for(bench: Any) -> None:
    table = bench(OPENAI)
    table.speak()
    table.run(5000)
    assert not any("transcription" in kind for kind in types([event for _, event in table.events]))


def test_grok_tells_running_words(bench: Any) -> None:
    table = bench(GROK)
    table.configure(audio={"input": {"transcription": {"model": "x"}}})
    table.speak()
    told = types(table.run(1000))
    name = "conversation.item.input_audio_transcription"
    assert told.index(f"{name}.updated") + 1 == told.index(f"{name}.completed")


@EVERY
def test_speech_stops_the_answer(bench: Any, profile: RealtimeProfile) -> None:
    table = bench.begun(profile, [Say("x" * 100)])
    table.send("response.create")
    table.run(500)
    told = types(table.speak())
    assert told.index("input_audio_buffer.speech_started") < told.index("response.done")
    done = table.of_type("response.done")[0]["response"]
    assert (done["status"], done["status_details"]["reason"]) == ("cancelled", "turn_detected")
    assert done["output"][0]["status"] == "incomplete"
    table.run(60_000)
    statuses = [event["response"]["status"] for event in table.of_type("response.done")]
    assert statuses == ["cancelled", "completed"]


def test_speech_leaves_the_answer_alone_when_told_to(bench: Any) -> None:
    table = bench(OPENAI, [Say("x" * 100)])
    table.configure(audio={"input": {"turn_detection": {"type": "server_vad", "interrupt_response": False}}})
    table.send("response.create")
    table.run(500)
    assert "response.done" not in types(table.speak())


def test_no_answer_by_itself_when_told_so(bench: Any) -> None:
    table = bench(OPENAI)
    table.configure(audio={"input": {"turn_detection": {"type": "server_vad", "create_response": False}}})
    assert types(table.speak())[-1] == "conversation.item.done"


def test_turns_by_hand(bench: Any, sound: Any) -> None:
    table = bench(OPENAI)
    table.configure(audio={"input": {"turn_detection": None}})
    assert types(table.send("input_audio_buffer.commit")) == ["error"]
    assert table.error["code"] == "input_audio_buffer_commit_empty"
    table.speak(sound())
    table.send("input_audio_buffer.clear")
    assert types(table.send("input_audio_buffer.commit")) == ["error"]
    table.speak(sound())
    assert types(table.send("input_audio_buffer.commit"))[0] == "input_audio_buffer.committed"
    assert types(table.send("response.create"))[0] == "response.created"


def test_g711_in_and_out(bench: Any, sound: Any) -> None:
    import numpy as np

    from mivas.line.sound import encode

    table = bench(OPENAI)
    for law, kind in (("ulaw", "audio/pcmu"), ("alaw", "audio/pcma")):
        table.configure(audio={"input": {"format": {"type": kind}}, "output": {"format": {"type": kind}}})
        before = len(table.of_type("input_audio_buffer.speech_stopped"))
        samples = np.frombuffer(sound(rate_hz=8000), dtype="<i2").astype(np.int16)
        table.speak(encode(samples, law).tobytes())
        assert len(table.of_type("input_audio_buffer.speech_stopped")) == before + 1
        made = len(table.of_type("response.output_audio.delta"))
        table.run(5000)
        deltas = table.of_type("response.output_audio.delta")[made:]
        assert sum(len(base64.b64decode(event["delta"])) for event in deltas) == 6 * 60 * 8
