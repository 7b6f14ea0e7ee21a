"""Log-mel spectrum as Whisper was trained on (80 bands, 25 ms windows, 10 ms hop), in numpy."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mivas.speech._pcm import Pcm

RATE_HZ, WINDOW, HOP, BANDS = 16_000, 400, 160, 80
LINEAR_TO_HZ, LINEAR_STEP_HZ, LOG_STEP = 1000.0, 200.0 / 3, np.log(6.4) / 27.0
"""Slaney's mel scale: linear up to 1 kHz, logarithmic above."""


def log_mel(pcm: Pcm, samples: int) -> NDArray[np.float32]:
    """Spectrum of the sound, cut to `samples` or followed by empty frames. Shape (80, samples // 160), float32.

    The frames after the sound are 0, not the spectrum of silence: behind a cut window the model repeats itself on
    silence, and stops at nothing.
    """
    kept = min(len(pcm), samples)
    frames = min(-(-kept // HOP) + 1, samples // HOP)
    sound = np.zeros(max(frames * HOP, WINDOW), dtype=np.float32)
    sound[:kept] = pcm[:kept].astype(np.float32) / 32768.0
    padded = np.pad(sound, WINDOW // 2, mode="reflect")
    windows = np.lib.stride_tricks.sliding_window_view(padded, WINDOW)[::HOP][:frames]
    power = np.abs(np.fft.rfft(windows * _window(), axis=1)).astype(np.float32) ** 2
    spectrum = np.log10(np.maximum(_filters() @ power.T, 1e-10))
    spectrum = (np.maximum(spectrum, spectrum.max() - 8.0) + 4.0) / 4.0
    return np.pad(spectrum, ((0, 0), (0, samples // HOP - spectrum.shape[1]))).astype(np.float32)


@cache
def _window() -> NDArray[np.float32]:
    return (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW)).astype(np.float32)


@cache
def _filters() -> NDArray[np.float32]:
    """Triangles of equal area, shape (80, 201)."""
    edges = _hz(np.linspace(0.0, _mels(np.array([RATE_HZ / 2]))[0], BANDS + 2))
    bins = np.fft.rfftfreq(WINDOW, 1 / RATE_HZ)
    rising = (bins[None, :] - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    falling = (edges[2:, None] - bins[None, :]) / (edges[2:] - edges[1:-1])[:, None]
    triangles = np.maximum(0.0, np.minimum(rising, falling))
    return (triangles * (2.0 / (edges[2:] - edges[:-2]))[:, None]).astype(np.float32)


def _mels(hz: NDArray[np.float64]) -> NDArray[np.float64]:
    log = LINEAR_TO_HZ / LINEAR_STEP_HZ + np.log(np.maximum(hz, 1e-9) / LINEAR_TO_HZ) / LOG_STEP
    return np.where(hz >= LINEAR_TO_HZ, log, hz / LINEAR_STEP_HZ)


def _hz(mels: NDArray[np.float64]) -> NDArray[np.float64]:
    knee = LINEAR_TO_HZ / LINEAR_STEP_HZ
    return np.where(mels >= knee, LINEAR_TO_HZ * np.exp(LOG_STEP * (mels - knee)), mels * LINEAR_STEP_HZ)
