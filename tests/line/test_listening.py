"""When somebody speaks, when a turn is over, and what is handed to the ears."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from mivas.line import VirtualTimeLoop
from mivas.line.spoken import (
    BUS_HZ,
    FRAME_MS,
    FRAME_SAMPLES,
    AcousticListening,
    Pcm,
    Playout,
    VoiceActivity,
    WordListening,
)


def speech(ms: int, level: float = 0.05, seed: int = 1) -> Pcm:
    """A voice-like sound: harmonics whose loudness goes up and down four times a second. RMS about `level`."""
    t = np.arange(BUS_HZ * ms // 1000) / BUS_HZ
    buzz = sum(np.sin(2 * np.pi * 130 * k * t + seed * k) / k for k in range(1, 20))
    envelope = 0.3 + 0.7 * np.abs(np.sin(2 * np.pi * 2 * t))
    wave = buzz * envelope
    return (wave / np.sqrt(np.mean(wave**2)) * level * 32767).clip(-32768, 32767).astype(np.int16)


def noise(ms: int, level: float, seed: int = 2) -> Pcm:
    samples = np.random.default_rng(seed).normal(0, level * 32767, BUS_HZ * ms // 1000)
    return samples.clip(-32768, 32767).astype(np.int16)


def frames(pcm: Pcm) -> list[Pcm]:
    return [pcm[at : at + FRAME_SAMPLES] for at in range(0, len(pcm) - FRAME_SAMPLES + 1, FRAME_SAMPLES)]


def share_of_speech(pcm: Pcm, activity: VoiceActivity) -> float:
    found = [activity.is_speech(frame) for frame in frames(pcm)]
    return sum(found) / len(found)


@pytest.mark.parametrize("floor", [0.0, 0.001, 0.005])
def test_speech_is_told_from_the_noise_below_it(floor: float) -> None:
    activity = VoiceActivity()
    background = noise(6000, floor)
    background[BUS_HZ * 2 : BUS_HZ * 4] += speech(2000)
    assert share_of_speech(background[: BUS_HZ * 2], activity) < 0.02
    assert share_of_speech(background[BUS_HZ * 2 : BUS_HZ * 4], activity) > 0.8
    assert share_of_speech(background[BUS_HZ * 4 + 1600 :], activity) < 0.05


def test_a_line_that_turns_noisy_is_no_speech_for_ever() -> None:
    activity = VoiceActivity()
    share_of_speech(noise(2000, 0.0005), activity)
    share_of_speech(noise(10_000, 0.01), activity)
    assert share_of_speech(noise(2000, 0.01, seed=9), activity) < 0.05


def listen(*sounds: Pcm) -> tuple[AcousticListening, list[Pcm]]:
    handed: list[Pcm] = []

    def hear(pcm: Pcm) -> str:
        handed.append(pcm)
        return "words"

    listening = AcousticListening(hear)
    for frame in frames(np.concatenate(sounds)):
        listening.frame(frame)
    return listening, handed


def take(listening: AcousticListening | WordListening) -> str:
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(listening.take())


def silence(ms: int) -> Pcm:
    return np.zeros(BUS_HZ * ms // 1000, dtype=np.int16)


def test_a_turn_is_over_when_silence_lasts() -> None:
    listening, _ = listen(silence(500), speech(1000), silence(700))
    assert 800 <= listening.speech_ms <= 1000
    assert 680 <= listening.silence_ms <= 760
    assert listening.run_ms == 0


def test_the_ears_get_the_turn_with_its_soft_onset() -> None:
    listening, handed = listen(silence(1000), speech(1000), silence(700))
    assert take(listening) == "words"
    [pcm] = handed
    assert abs(len(pcm) / BUS_HZ - 2.0) < 0.1  # 300 ms before, 1,000 ms of speech, 700 ms after
    assert listening.speech_ms == 0


def test_nothing_heard_goes_to_no_ears() -> None:
    listening, handed = listen(silence(3000))
    assert take(listening) == ""
    assert handed == []


def test_what_was_dropped_is_not_heard_with_the_next_turn() -> None:
    listening, handed = listen(silence(1000), speech(60), silence(700))
    listening.drop()
    for frame in frames(np.concatenate([silence(400), speech(500), silence(100)])):
        listening.frame(frame)
    take(listening)
    assert len(handed[0]) / BUS_HZ < 1.0


def words_of(playout: Playout, listening: WordListening, count: int, start_ms: int = 0) -> int:
    for number in range(count):
        listening.frame(playout.next_frame(start_ms + number * FRAME_MS))
    return start_ms + count * FRAME_MS


def test_passed_words_come_with_their_true_boundaries() -> None:
    playout = Playout()
    listening = WordListening(playout)
    playout.say("hello there friend", np.ones(FRAME_SAMPLES * 10, dtype=np.int16))
    words_of(playout, listening, 30)
    assert listening.speech_ms == 9 * FRAME_MS  # the frame it ends in counts as over
    assert listening.silence_ms == 21 * FRAME_MS
    assert take(listening) == "hello there friend"
    assert take(listening) == ""


def test_words_taken_in_the_middle_are_not_taken_again() -> None:
    playout = Playout()
    listening = WordListening(playout)
    playout.say("one two three four", np.ones(FRAME_SAMPLES * 10, dtype=np.int16))
    at = words_of(playout, listening, 5)
    first = take(listening)
    words_of(playout, listening, 20, at)
    assert (first, take(listening)) == ("one two", "three four")


def test_words_that_were_cut_off_are_never_heard() -> None:
    playout = Playout()
    listening = WordListening(playout)
    playout.say("one two three four", np.ones(FRAME_SAMPLES * 10, dtype=np.int16))
    at = words_of(playout, listening, 5)
    playout.cut(at)
    words_of(playout, listening, 5, at)
    assert take(listening) == "one two"
