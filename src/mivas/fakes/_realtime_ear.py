"""The input audio buffer of a session: what the caller sent, and where in it turns begin and end. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from mivas.fakes._realtime_settings import TurnDetection
from mivas.fakes._realtime_sound import ONSET_WINDOWS, WINDOW_MS, SoundFormat, SpeechDetector
from mivas.line.spoken import Pcm

LEAST_COMMIT_MS = 100
"""A buffer with less can't be committed by the client."""


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """The caller speaks, since `at_ms` of the sound received, padding included."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The caller's turn is over; `samples` hold it, padding and the silence at its end included."""

    at_ms: int
    samples: Pcm


@dataclass(slots=True)
class Ear:
    """Sound of one format under one turn detection; a change of either takes a new one."""

    sound_format: SoundFormat
    detection: TurnDetection | None
    began_ms: int = 0
    """Sound that the session received before this ear."""
    _detector: SpeechDetector | None = None
    _kept: list[Pcm] = field(default_factory=list)
    _received: int = 0
    _kept_count: int = 0

    def __post_init__(self) -> None:
        if self.detection is not None:
            self._detector = SpeechDetector(
                self.sound_format.rate_hz, self.detection.threshold, self.detection.silence_ms
            )

    @property
    def received_ms(self) -> int:
        return self.began_ms + self._received * 1000 // self.sound_format.rate_hz

    @property
    def kept_ms(self) -> int:
        """Sound that isn't committed."""
        return self._kept_count * 1000 // self.sound_format.rate_hz

    def hear(self, data: bytes) -> Iterator[TurnBegan | TurnEnded]:
        """Take sound as it came; says where turns begin and end, in order."""
        samples = self.sound_format.samples(data)
        if self._detector is None or self.detection is None:
            self._keep(samples)
            return
        window = self.sound_format.rate_hz * WINDOW_MS // 1000
        for start in range(0, len(samples), window):
            piece = samples[start : start + window]
            self._keep(piece)
            for edge in self._detector.feed(piece):
                if edge.kind == "started":
                    self._trim((ONSET_WINDOWS + 1) * WINDOW_MS + self.detection.prefix_ms)
                    yield TurnBegan(max(self.began_ms + edge.at_ms - self.detection.prefix_ms, 0))
                else:
                    yield TurnEnded(self.began_ms + edge.at_ms, self.take())
            if not self._detector.speaking:
                self._trim(1000 + self.detection.prefix_ms)

    def take(self) -> Pcm:
        """Empty the buffer; gives what was in it."""
        samples = np.concatenate(self._kept) if self._kept else np.zeros(0, dtype=np.int16)
        self._kept, self._kept_count = [], 0
        return samples

    def _keep(self, samples: Pcm) -> None:
        self._kept.append(samples)
        self._kept_count += len(samples)
        self._received += len(samples)

    def _trim(self, longest_ms: int) -> None:
        """Drop the oldest pieces that aren't needed for so much."""
        needed = longest_ms * self.sound_format.rate_hz // 1000
        dropped = 0
        while dropped < len(self._kept) and self._kept_count - len(self._kept[dropped]) >= needed:
            self._kept_count -= len(self._kept[dropped])
            dropped += 1
        del self._kept[:dropped]
