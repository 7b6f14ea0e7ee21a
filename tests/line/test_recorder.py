"""Both sides on disk, side by side, frame by frame."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mivas.line.sound import Recorder, read_recording
from mivas.run._speech import AlignedRecording


def ramp(samples: int, start: int = 1) -> np.ndarray:
    return (np.arange(start, start + samples) % 30_000).astype(np.int16)


def test_what_was_said_is_read_back_to_the_sample(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "audio.flac")
    for at in range(0, 32_000, 320):
        recorder.add(ramp(320, at), -ramp(320, at))
    recorder.close()
    caller, agent = read_recording(tmp_path / "audio.flac")
    assert (caller == ramp(32_000, 0)).all()
    assert (agent == -ramp(32_000, 0)).all()


@settings(max_examples=15, deadline=None)
@given(st.sampled_from([0, 5, 20, 60, 77]), st.sampled_from([0, 3, 60]), st.integers(1, 20))
def test_each_directions_delay_is_taken_out(caller_ms: int, agent_ms: int, frames: int) -> None:
    written: list[tuple[np.ndarray, np.ndarray]] = []

    class Kept:
        def add(self, caller: np.ndarray, agent: np.ndarray) -> None:
            written.append((caller, agent))

        def close(self) -> None: ...

    delays = [ms * 16 for ms in (caller_ms, agent_ms)]
    recording = AlignedRecording(Kept(), caller_ms, agent_ms)
    length = frames * 320
    said = ramp(length)
    late = [np.concatenate([np.zeros(delay, dtype=np.int16), said])[:length] for delay in delays]
    for at in range(0, length, 320):
        recording.add(late[0][at : at + 320], late[1][at : at + 320])
    recording.close()
    for side, delay in enumerate(delays):
        channel = np.concatenate([pair[side] for pair in written]) if written else said[:0]
        kept = max(0, length - delay)
        assert (channel[:kept] == said[:kept]).all()


def test_a_file_that_is_no_recording_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "no.flac").write_bytes(b"nothing of the kind")
    with pytest.raises(OSError, match="no recording"):
        read_recording(tmp_path / "no.flac")


def test_channels_of_unequal_length_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="equally many"):
        Recorder(tmp_path / "audio.flac").add(ramp(320), ramp(319))


@pytest.mark.parametrize("frames", [60, 200, 1000])
def test_of_a_call_that_breaks_all_but_the_last_second_or_so_is_read(tmp_path: Path, frames: int) -> None:
    recorder, noise = Recorder(tmp_path / "open.flac"), np.random.default_rng(1)
    said = noise.integers(-8000, 8000, (frames, 320)).astype(np.int16)
    for frame in said:
        recorder.add(frame, -frame)
    (tmp_path / "left.flac").write_bytes((tmp_path / "open.flac").read_bytes())  # what a killed process leaves
    caller, agent = read_recording(tmp_path / "left.flac")
    assert frames * 320 - len(caller) <= 32_000
    assert len(caller) > 0
    assert (caller == said.reshape(-1)[: len(caller)]).all()
    assert (agent == -caller).all()
    recorder.close()


def test_a_damaged_recording_is_said_so(tmp_path: Path) -> None:
    recorder, noise = Recorder(tmp_path / "audio.flac"), np.random.default_rng(1)
    for _ in range(100):
        recorder.add(*noise.integers(-8000, 8000, (2, 320)).astype(np.int16))
    recorder.close()
    whole = (tmp_path / "audio.flac").read_bytes()
    (tmp_path / "cut.flac").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(OSError, match="no recording"):
        read_recording(tmp_path / "cut.flac")
