"""Noise made here, so that nobody's recording is needed: pink, babble, street, hold music, a strange voice.

Loops of 20 s at 16 kHz, made once a process, always the same; a call begins somewhere in them. "Synthetic babble" in
reports: real rooms are harder.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from mivas.line._filters import BAND_HZ
from mivas.line._pcm import BUS_HZ

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mivas.line._condition import Noise

SEED = 20_260_819
LOOP_S = 20
SAMPLES = LOOP_S * BUS_HZ
HARMONICS = 18
VOWELS_HZ = ((700, 1200, 2600), (400, 2000, 2700), (300, 2300, 3000), (500, 900, 2500), (350, 800, 2400))
"""Formants of a few vowels."""


@cache
def noise_loop(kind: Noise) -> NDArray[np.float32]:
    """20 s of it, with a power of 1 within the telephone band. Shape (320,000,), not to be written to."""
    random = np.random.default_rng(SEED)
    made = {"pink": _pink, "babble": _babble, "street": _street, "hold-music": _hold_music}[kind](random)
    spectrum = np.fft.rfft(made)
    hz = np.fft.rfftfreq(SAMPLES, 1 / BUS_HZ)
    spectrum[(hz < BAND_HZ[0]) | (hz > BAND_HZ[1])] = 0
    in_band = np.fft.irfft(spectrum, SAMPLES)
    return _kept(made / np.sqrt(np.mean(in_band**2)))


@cache
def voice_loop() -> NDArray[np.float32]:
    """One strange voice, for cross-talk, with a power of 1. Shape (320,000,), not to be written to."""
    voice = _voice(np.random.default_rng(SEED))
    return _kept(voice / np.sqrt(np.mean(voice**2)))


def _kept(loop: NDArray[np.float64]) -> NDArray[np.float32]:
    kept = loop.astype(np.float32)
    kept.setflags(write=False)
    return kept


def _shaped(random: np.random.Generator, slope: float, lowest_hz: float = 20.0) -> NDArray[np.float64]:
    """Noise whose power falls with frequency to the given power."""
    hz = np.fft.rfftfreq(SAMPLES, 1 / BUS_HZ)
    size = np.maximum(hz, lowest_hz) ** (-slope / 2)
    phases = random.uniform(0, 2 * np.pi, len(hz))
    return np.fft.irfft(size * np.exp(1j * phases), SAMPLES)


def _pink(random: np.random.Generator) -> NDArray[np.float64]:
    return _shaped(random, 1.0)


def _voice(random: np.random.Generator) -> NDArray[np.float64]:
    """A buzz that changes its vowel, pitch and loudness like speech, some four times a second, with pauses.

    Made at 8 kHz: a telephone carries no more of it.
    """
    count, rate_hz = LOOP_S * 4, BUS_HZ // 2
    edges = np.sort(random.uniform(0, LOOP_S, count))
    syllable = np.searchsorted(edges, np.arange(SAMPLES // 2) / rate_hz)
    pitches = random.uniform(90, 220) * np.exp(random.normal(0, 0.12, count + 1))
    vowels = np.array(VOWELS_HZ)[random.integers(0, len(VOWELS_HZ), count + 1)]
    loud = np.where(random.uniform(size=count + 1) < 0.2, 0.02, random.uniform(0.4, 1.0, count + 1))
    phase = (2 * np.pi * np.cumsum(pitches[syllable]) / rate_hz).astype(np.float32)
    voice = np.zeros(SAMPLES // 2, dtype=np.float32)
    for harmonic in range(1, HARMONICS + 1):
        away = (harmonic * pitches[:, None] - vowels) / np.array([120.0, 180.0, 240.0])
        loudness = np.exp(-(away**2) / 2).sum(axis=1) / harmonic**0.3 * loud
        voice += loudness.astype(np.float32)[syllable] * np.sin(harmonic * phase)
    spectrum = np.fft.rfft(voice)
    return np.asarray(np.fft.irfft(np.pad(spectrum, (0, SAMPLES // 2 + 1 - len(spectrum))), SAMPLES))


def _babble(random: np.random.Generator) -> NDArray[np.float64]:
    return np.asarray(np.sum([_voice(random) for _ in range(8)], axis=0))


def _street(random: np.random.Generator) -> NDArray[np.float64]:
    """A rumble, cars that pass, now and then a horn."""
    rumble = _shaped(random, 1.6, 40.0)
    tyres = _shaped(random, 0.8, 200.0)
    time = np.arange(SAMPLES) / BUS_HZ
    passing = np.full(SAMPLES, 0.25)
    for at in random.uniform(0, LOOP_S, 7):
        away = np.minimum(np.abs(time - at), LOOP_S - np.abs(time - at))
        passing += random.uniform(0.5, 1.0) * np.exp(-((away / random.uniform(0.8, 1.6)) ** 2))
    street = rumble / rumble.std() + 0.8 * passing * tyres / tyres.std()
    at = random.uniform(2, LOOP_S - 2)
    horn = np.sin(2 * np.pi * 415 * time) + np.sin(2 * np.pi * 523 * time)
    return np.asarray(street + 0.35 * horn * ((time > at) & (time < at + 0.4)))


def _hold_music(random: np.random.Generator) -> NDArray[np.float64]:
    """Four chords in a soft square, round and round."""
    time = np.arange(SAMPLES) / BUS_HZ
    chords = np.array([[262, 330, 392], [220, 262, 330], [294, 349, 440], [247, 294, 392]], dtype=float)
    bar = (time // 1.25).astype(int) % 4
    music = np.zeros(SAMPLES)
    for note in range(3):
        phase = 2 * np.pi * np.cumsum(chords[bar, note]) / BUS_HZ + random.uniform(0, 2 * np.pi)
        music += np.sin(phase) + 0.3 * np.sin(3 * phase) + 0.1 * np.sin(5 * phase)
    return music * (0.6 + 0.4 * np.exp(-(time % 0.625) / 0.3))
