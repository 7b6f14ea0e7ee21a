"""A telephone's band, frame by frame: 16 kHz to 8 kHz and back. State is kept, whole frames stay whole frames.

Filters of finite length, so that all of a voice is late by the same 8 ms. In plain numpy: half the rate needs no more,
one call of scipy costs more than a frame may, and loading it takes seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mivas.line._pcm import BUS_HZ, Pcm

if TYPE_CHECKING:
    from numpy.typing import NDArray

BAND_HZ = (300.0, 3400.0)
TELEPHONE_HZ = BUS_HZ // 2
CUTS_HZ = (235.0, 3560.0)
"""Where the band-pass is 6 dB down: flat within the band, 30 dB down at 150 Hz, 65 dB at 4 kHz, where 8 kHz folds."""
BAND_SPAN, HALF_SPAN = 104, 24
"""Samples at 16 kHz on either side of a filter's middle: the sound is late by their sum, whole milliseconds."""
KAISER_BETA = 4.0
"""A window with 45 dB of rejection."""
TELEPHONE_DELAY_MS = (BAND_SPAN + HALF_SPAN) * 1000 // BUS_HZ


def _low_pass(cut_hz: float, span: int) -> NDArray[np.float64]:
    """A windowed sinc of 2 span + 1 taps at the bus's rate."""
    share = 2 * cut_hz / BUS_HZ
    return np.asarray(share * np.sinc(share * np.arange(-span, span + 1)) * np.kaiser(2 * span + 1, KAISER_BETA))


class TelephoneBand:
    """Half the rate within the band, and back."""

    def __init__(self) -> None:
        band = (_low_pass(CUTS_HZ[1], BAND_SPAN) - _low_pass(CUTS_HZ[0], BAND_SPAN)).astype(np.float32)
        # Every second output alone is wanted: each half of the taps meets one half of the samples.
        self._even_taps, self._odd_taps = band[::2].copy(), band[1::2].copy()
        # Of a filter at half the rate every second tap is 0 but the middle: every second output is the input, later.
        self._between_taps = (2 * _low_pass(TELEPHONE_HZ / 2, HALF_SPAN))[1::2].astype(np.float32)
        self._wide_past = np.zeros(2 * BAND_SPAN, dtype=np.float32)
        self._narrow_past = np.zeros(HALF_SPAN, dtype=np.float32)
        self._wide_silence_left = self._narrow_silence_left = 0
        """Samples until the past is silent too; then silence stays silence, and half of each direction of a call is."""

    def narrowed(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        """An even number of bus samples to half as many at 8 kHz."""
        if samples.any():
            self._wide_silence_left = len(self._wide_past)
        elif self._wide_silence_left <= 0:
            return np.zeros(len(samples) // 2, dtype=np.float32)
        else:
            self._wide_silence_left -= len(samples)
        joined = np.concatenate((self._wide_past, samples))
        self._wide_past = joined[len(samples) :]
        even = np.convolve(joined[::2], self._even_taps, "valid")
        return np.asarray(even + np.convolve(joined[1:-1:2], self._odd_taps, "valid"))

    def widened(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        """8 kHz samples to twice as many at the bus's rate."""
        if samples.any():
            self._narrow_silence_left = len(self._narrow_past)
        elif self._narrow_silence_left <= 0:
            return np.zeros(2 * len(samples), dtype=np.float32)
        else:
            self._narrow_silence_left -= len(samples)
        joined = np.concatenate((self._narrow_past, samples))
        self._narrow_past = joined[len(samples) :]
        wide = np.empty(2 * len(samples), dtype=np.float32)
        wide[::2] = joined[HALF_SPAN // 2 : -HALF_SPAN // 2]
        wide[1::2] = np.convolve(joined[1:], self._between_taps, "valid")
        return wide


def to_int16(samples: NDArray[np.float32]) -> Pcm:
    """Clipped and rounded."""
    return np.rint(samples).clip(-32768, 32767).astype(np.int16)
