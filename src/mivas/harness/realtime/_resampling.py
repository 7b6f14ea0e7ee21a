"""Sound between the line's rate and a provider's, piece by piece."""

from __future__ import annotations

from typing import Any

import numpy as np

from mivas.line.spoken import Pcm


class Resampling:
    """One direction of one call; keeps what it needs between pieces. int16 in, int16 out, any length."""

    def __init__(self, from_hz: int, to_hz: int) -> None:
        self._from_hz, self._to_hz = from_hz, to_hz
        self._stream = self._fresh()

    def _fresh(self) -> Any:
        if self._from_hz == self._to_hz:
            return None
        import soxr

        return soxr.ResampleStream(self._from_hz, self._to_hz, 1, dtype="int16", quality="MQ")

    def convert(self, pcm: Pcm) -> Pcm:
        """The next piece at the other rate. A little comes with the piece after it."""
        return pcm if self._stream is None else np.asarray(self._stream.resample_chunk(pcm), dtype=np.int16)

    def flush(self) -> Pcm:
        """What is still inside; begins anew."""
        if self._stream is None:
            return np.zeros(0, dtype=np.int16)
        rest = self._stream.resample_chunk(np.zeros(0, dtype=np.int16), last=True)
        self._stream = self._fresh()
        return np.asarray(rest, dtype=np.int16)
