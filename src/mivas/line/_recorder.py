"""A call's sound on disk: two channels, caller left and agent right, 16 kHz FLAC. Frame n is the call's ms 20 n.

Written as it comes, so a call that breaks leaves what was said; FLAC frames can be read without the end of the file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mivas.line._pcm import BUS_HZ, FRAME_SAMPLES, Pcm

BLOCK_SAMPLES = BUS_HZ
"""Written at a time: a second."""
UNKNOWN_LENGTH = 2**63 - 1
"""What libsndfile says of a FLAC file whose header was never completed."""


class Recorder:
    """Writes one call. Raises OSError where it can't."""

    def __init__(self, path: Path) -> None:
        import soundfile

        self._file: Any = soundfile.SoundFile(str(path), "w", BUS_HZ, 2, "PCM_16", format="FLAC")
        self._waiting: list[Pcm] = []
        self._samples = 0

    def add(self, caller: Pcm, agent: Pcm) -> None:
        """The next samples of both, equally many. Raises ValueError where they aren't."""
        if len(caller) != len(agent):
            raise ValueError(f"both channels need equally many samples, not {len(caller)} and {len(agent)}")
        self._waiting.append(np.stack([caller, agent], axis=1))
        self._samples += len(caller)
        if self._samples >= BLOCK_SAMPLES:
            self._write()

    def close(self) -> None:
        self._write()
        self._file.close()

    def _write(self) -> None:
        if self._waiting:
            self._file.write(np.concatenate(self._waiting))
        self._waiting, self._samples = [], 0


def read_recording(path: Path) -> tuple[Pcm, Pcm]:
    """The caller's and the agent's channel of a recording: int16, 16 kHz. Raises OSError for what is none.

    Of a file that nobody closed it reads what was written.
    """
    import soundfile

    try:
        with soundfile.SoundFile(str(path)) as file:
            rate_hz, channels = file.samplerate, file.channels
            torn = file.frames == UNKNOWN_LENGTH
            samples = _torn(file) if torn else file.read(dtype="int16", always_2d=True)
    except soundfile.LibsndfileError as error:
        raise OSError(f"{path} is no recording: {error}") from None
    if rate_hz != BUS_HZ or channels != 2:
        raise OSError(f"{path} is no recording of a call: {rate_hz} Hz, {channels} channels")
    return np.ascontiguousarray(samples[:, 0]), np.ascontiguousarray(samples[:, 1])


def _torn(file: Any) -> Pcm:
    """A frame at a time, up to the one that was never finished."""
    import soundfile

    frames = [np.zeros((0, file.channels), dtype=np.int16)]
    try:
        while len(frame := file.read(FRAME_SAMPLES, dtype="int16", always_2d=True)):
            frames.append(frame)
    except soundfile.LibsndfileError:
        pass
    return np.concatenate(frames)
