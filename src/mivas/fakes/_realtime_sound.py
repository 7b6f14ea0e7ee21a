"""Sound on a provider's wire: its formats, a voice for a double, and where in a stream the caller speaks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mivas.errors import InputError
from mivas.line.sound import decode, encode
from mivas.line.spoken import BUS_HZ, Pcm, VoiceActivity

MS_PER_CHARACTER = 60
WINDOW_MS = 20
ONSET_WINDOWS = 3
"""Windows in a row with speech before a turn begins: a click is shorter."""
QUIETEST_DB, LOUDEST_DB = -55.0, -35.0
"""dBFS that a threshold of 0 and of 1 ask for; the wire calls it a probability."""


@dataclass(frozen=True, slots=True)
class SoundFormat:
    """How samples are written; G.711 is always 8 kHz."""

    encoding: Literal["pcm", "ulaw", "alaw"]
    rate_hz: int

    @property
    def bytes_per_sample(self) -> int:
        return 2 if self.encoding == "pcm" else 1

    def samples(self, data: bytes) -> Pcm:
        """int16[n] at this rate. An odd last byte of PCM is left out."""
        if self.encoding == "pcm":
            return np.frombuffer(data[: len(data) // 2 * 2], dtype="<i2").astype(np.int16)
        return decode(np.frombuffer(data, dtype=np.uint8), self.encoding)

    def bytes_of(self, samples: Pcm) -> bytes:
        if self.encoding == "pcm":
            return samples.astype("<i2").tobytes()
        return encode(np.ascontiguousarray(samples), self.encoding).tobytes()

    def duration_ms(self, byte_count: int) -> int:
        return byte_count // self.bytes_per_sample * 1000 // self.rate_hz

    def chunks(self, data: bytes, chunk_ms: int) -> Iterator[bytes]:
        """Pieces of that length, the last one shorter."""
        size = max(self.rate_hz * chunk_ms // 1000, 1) * self.bytes_per_sample
        for start in range(0, len(data), size):
            yield data[start : start + size]


def resampled(samples: Pcm, from_hz: int, to_hz: int) -> Pcm:
    """The same sound at another rate. Needs the extra `voice` where the rates differ; raises InputError without it."""
    if from_hz == to_hz or len(samples) == 0:
        return samples
    try:
        import soxr
    except ImportError:
        raise InputError("a voice or ears need the package soxr", where="double", mend="install mivas[voice]") from None
    changed: NDArray[np.int16] = soxr.resample(samples, from_hz, to_hz)
    return changed


def to_bus(samples: Pcm, rate_hz: int) -> Pcm:
    """At 16 kHz, for ears."""
    return resampled(samples, rate_hz, BUS_HZ)


def speech_like(text: str, rate_hz: int) -> Pcm:
    """A buzz with the rhythm of syllables in place of a voice: 60 ms a character, about -20 dBFS.

    >>> len(speech_like("Hello", 8000))
    2400
    """
    count = len(text) * MS_PER_CHARACTER * rate_hz // 1000
    seconds = np.arange(count) / rate_hz
    pitch = 2 * np.pi * 140 * seconds
    buzz = np.sin(pitch) + 0.5 * np.sin(3 * pitch) + 0.3 * np.sin(5 * pitch)
    syllables = 0.55 - 0.45 * np.cos(2 * np.pi * 4 * seconds)
    return np.asarray(5000 * buzz * syllables, dtype=np.int16)


@dataclass(frozen=True, slots=True)
class SpeechEdge:
    """Where speech starts or stops, in ms of sound received."""

    kind: Literal["started", "stopped"]
    at_ms: int


@dataclass(slots=True)
class SpeechDetector:
    """Finds a caller's turns by energy. Counts in samples received: a caller who sends nothing stands still in it."""

    rate_hz: int
    threshold: float
    """0..1, as `server_vad` has it."""
    silence_ms: int
    _activity: VoiceActivity = field(default_factory=VoiceActivity)
    _rest: Pcm = field(default_factory=lambda: np.zeros(0, dtype=np.int16))
    _windows: int = 0
    _run: int = 0
    _quiet: int = 0
    speaking: bool = False

    @property
    def heard_ms(self) -> int:
        return self._windows * WINDOW_MS

    def feed(self, samples: Pcm) -> list[SpeechEdge]:
        """Take the next samples, of any number."""
        size = self.rate_hz * WINDOW_MS // 1000
        waiting = np.concatenate([self._rest, samples])
        whole = len(waiting) // size
        self._rest = waiting[whole * size :]
        edges: list[SpeechEdge] = []
        for index in range(whole):
            edges.extend(self._window(waiting[index * size : (index + 1) * size]))
        return edges

    def _window(self, window: Pcm) -> Iterator[SpeechEdge]:
        speech = self._is_speech(window)
        self._windows += 1
        if not self.speaking:
            self._run = self._run + 1 if speech else 0
            if self._run == ONSET_WINDOWS:
                self.speaking, self._quiet = True, 0
                yield SpeechEdge("started", self.heard_ms - ONSET_WINDOWS * WINDOW_MS)
            return
        self._quiet = 0 if speech else self._quiet + WINDOW_MS
        if self._quiet >= self.silence_ms:
            self.speaking, self._run = False, 0
            yield SpeechEdge("stopped", self.heard_ms)

    def _is_speech(self, window: Pcm) -> bool:
        values = window.astype(np.float64)
        level_db = 10 * math.log10(float(values @ values) / (len(values) * 32768.0**2) + 1e-12)
        needed_db = QUIETEST_DB + (LOUDEST_DB - QUIETEST_DB) * self.threshold
        return self._activity.is_speech(window) and level_db > needed_db
