"""A telephone's band, frame by frame: 16 kHz to 8 kHz and back. State is kept, whole frames stay whole frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mivas.line._pcm import BUS_HZ, Pcm

if TYPE_CHECKING:
    from numpy.typing import NDArray

BAND_HZ = (300.0, 3400.0)
TELEPHONE_HZ = BUS_HZ // 2
ORDER, RIPPLE_DB, STOP_DB = 5, 0.5, 45.0
"""Of elliptic filters: 45 dB down at 4 kHz, where 8 kHz sampling would fold."""


class TelephoneBand:
    """Half the rate within the band, and back: since it is exactly half, filters do, and nothing waits for a block."""

    def __init__(self) -> None:
        from scipy.signal import ellip  # type: ignore[import-untyped]

        self._down: Any = ellip(ORDER, RIPPLE_DB, STOP_DB, BAND_HZ, "bandpass", fs=BUS_HZ, output="sos")
        self._up: Any = ellip(ORDER, RIPPLE_DB, STOP_DB, BAND_HZ[1] + 100, "lowpass", fs=BUS_HZ, output="sos")
        self._down_state = np.zeros((len(self._down), 2), dtype=np.float64)
        self._up_state = np.zeros((len(self._up), 2), dtype=np.float64)

    def narrowed(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        """An even number of bus samples to half as many at 8 kHz."""
        from scipy.signal import sosfilt

        filtered, self._down_state = sosfilt(self._down, samples, zi=self._down_state)
        return np.asarray(filtered[::2], dtype=np.float32)

    def widened(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        """8 kHz samples to twice as many at the bus's rate."""
        from scipy.signal import sosfilt

        stuffed = np.zeros(2 * len(samples), dtype=np.float64)
        stuffed[::2] = samples
        filtered, self._up_state = sosfilt(self._up, 2 * stuffed, zi=self._up_state)
        return np.asarray(filtered, dtype=np.float32)


class FrameBuffer:
    """Pieces of uneven length in, whole frames out; silence where they don't suffice."""

    def __init__(self, frame: int, lead: int) -> None:
        self._frame = frame
        self._waiting = np.zeros(lead, dtype=np.float32)

    def exchange(self, piece: NDArray[np.float32]) -> NDArray[np.float32]:
        """Take a piece, give the oldest frame."""
        joined = np.concatenate([self._waiting, piece])
        if len(joined) < self._frame:
            joined = np.concatenate([np.zeros(self._frame - len(joined), dtype=np.float32), joined])
        self._waiting = joined[self._frame :]
        return joined[: self._frame]


def to_int16(samples: NDArray[np.float32]) -> Pcm:
    """Clipped and rounded."""
    return np.clip(np.rint(samples), -32768, 32767).astype(np.int16)
