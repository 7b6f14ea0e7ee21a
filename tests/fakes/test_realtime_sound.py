"""Sound of the real-time doubles: formats, the voice that isn't one, and where speech is found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mivas.fakes._realtime_ear import Ear, TurnBegan, TurnEnded
from mivas.fakes._realtime_settings import TurnDetection
from mivas.fakes._realtime_sound import SoundFormat, resampled, speech_like

DETECTION = TurnDetection(threshold=0.5, prefix_ms=300, silence_ms=500, creates=True, interrupts=True)


def turns(ear: Ear, data: bytes, piece: int) -> list[Any]:
    return [turn for start in range(0, len(data), piece) for turn in ear.hear(data[start : start + piece])]


@pytest.mark.parametrize("encoding", ["pcm", "ulaw", "alaw"])
@given(length=st.integers(0, 3000), chunk_ms=st.integers(1, 200))
def test_chunks_join_to_the_whole(encoding: Any, length: int, chunk_ms: int) -> None:
    kind = SoundFormat(encoding, 8000)
    data = kind.bytes_of(speech_like("x" * 20, 8000)[:length])
    chunks = list(kind.chunks(data, chunk_ms))
    assert b"".join(chunks) == data
    assert all(kind.duration_ms(len(chunk)) == chunk_ms for chunk in chunks[:-1])
    assert len(kind.samples(data)) == length


def test_a_voice_lasts_as_long_as_its_text() -> None:
    assert len(speech_like("", 24_000)) == 0
    samples = speech_like("x" * 50, 24_000)
    assert len(samples) == 3 * 24_000
    level_db = 20 * np.log10(np.sqrt(np.mean(samples.astype(float) ** 2)) / 32768)
    assert -25 < level_db < -15


def test_resampling_keeps_length_and_level() -> None:
    samples = speech_like("x" * 50, 24_000)
    assert resampled(samples, 24_000, 24_000) is samples
    other = resampled(samples, 24_000, 16_000)
    assert abs(len(other) - 48_000) < 10
    assert abs(np.std(other) / np.std(samples) - 1) < 0.05


@settings(deadline=None, max_examples=20)
@given(piece_ms=st.integers(1, 900), rate_hz=st.sampled_from([8000, 16_000, 24_000, 44_100]))
def test_turns_are_the_same_however_sound_is_cut(sound: Any, piece_ms: int, rate_hz: int) -> None:
    data = sound(rate_hz=rate_hz)
    pcm = SoundFormat("pcm", rate_hz)
    whole = turns(Ear(pcm, DETECTION), data, len(data))
    cut = turns(Ear(pcm, DETECTION), data, rate_hz * piece_ms // 1000 * 2)
    assert [(type(turn), turn.at_ms) for turn in cut] == [(type(turn), turn.at_ms) for turn in whole]
    assert [type(turn) for turn in whole] == [TurnBegan, TurnEnded]


def test_a_turn_holds_its_beginning_and_little_of_what_was_before(sound: Any) -> None:
    ear = Ear(SoundFormat("pcm", 24_000), DETECTION)
    _, ended = turns(ear, bytes(24 * 2 * 5000) + sound("x" * 20), 960)
    found = np.flatnonzero(np.abs(ended.samples) > 500)
    assert 200 <= found[0] / 24 <= 420
    assert len(ended.samples) / 24 < 300 + 1200 + 500 + 200
    assert ear.kept_ms <= 1300


@pytest.mark.parametrize(("scale", "threshold", "heard"), [(1, 0.5, True), (0.05, 0.1, True), (0.05, 0.9, False)])
def test_the_threshold(sound: Any, scale: float, threshold: float, heard: bool) -> None:
    softly = (np.frombuffer(sound(), dtype="<i2") * scale).astype("<i2").tobytes()
    detection = TurnDetection(threshold=threshold, prefix_ms=300, silence_ms=500, creates=True, interrupts=True)
    assert bool(turns(Ear(SoundFormat("pcm", 24_000), detection), softly, 960)) == heard


def test_a_click_is_no_speech() -> None:
    click = np.zeros(24_000, dtype=np.int16)
    click[9600:10_080] = 8000
    assert turns(Ear(SoundFormat("pcm", 24_000), DETECTION), click.tobytes(), 960) == []
