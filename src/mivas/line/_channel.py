"""One direction of a line in motion: a frame in, the frame that arrives out. Seeded; nothing else is drawn from.

Each part has a random stream of its own, so that a change in one leaves the draws of all others as they were, and the
caller's own randomness is never touched: calls over different lines are pairs.
"""

from __future__ import annotations

import zlib
from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from mivas.line._condition import ChannelCondition, Codec
from mivas.line._filters import TELEPHONE_DELAY_MS, TELEPHONE_HZ, TelephoneBand, to_int16
from mivas.line._g711 import decode, encode
from mivas.line._noise import noise_loop, voice_loop
from mivas.line._packets import Network, network_delay_ms
from mivas.line._pcm import FRAME_MS, FRAME_SAMPLES, Pcm

if TYPE_CHECKING:
    from numpy.typing import NDArray

SPEECH_DBFS = -29.0
"""What is within the telephone band of speech at -26 dBFS, to which signal-to-noise ratios refer. Mean of eight voices,
which have -28 to -31 there: the lower a voice, the more of it a telephone cuts off.
"""
TELEPHONE_SAMPLES = TELEPHONE_HZ * FRAME_MS // 1000


class Channel:
    """One direction of one call."""

    def __init__(self, condition: ChannelCondition, seed: int) -> None:
        self.condition = condition
        self._seed = seed
        self._gain = np.float32(_factor(condition.gain))
        self._clip = np.float32(32767 * _factor(condition.clip)) if condition.clip else None
        self._noise = self._loop("noise") if condition.noise != "none" else None
        self._strange_voice = self._loop("crosstalk") if condition.crosstalk else None
        self._at = 0
        self._echo: deque[NDArray[np.float32]] = deque()
        self._echo_frames = round(condition.echo_delay / FRAME_MS) if condition.echo else 0
        self._telephone = _Telephone(condition.codec)
        samples = FRAME_SAMPLES if condition.codec == "none" else TELEPHONE_SAMPLES
        self._network = Network(condition, samples, self._random)

    @property
    def delay_ms(self) -> int:
        """How much later sound arrives than it was sent: the telephone's filters and the jitter buffer."""
        filters_ms = 0 if self.condition.codec == "none" else TELEPHONE_DELAY_MS
        return filters_ms + network_delay_ms(self.condition)

    def returning(self, frame: Pcm) -> None:
        """The other direction's sound of the same tick, of which an echo comes back."""
        if self._echo_frames:
            self._echo.append(frame.astype(np.float32) * np.float32(_factor(self.condition.echo)))

    def process(self, frame: Pcm) -> Pcm:
        """What arrives in the 20 ms in which `frame` is sent. Raises ValueError for any other length than 320."""
        if frame.shape != (FRAME_SAMPLES,):
            raise ValueError(f"a frame has {FRAME_SAMPLES} samples, not {frame.shape}")
        samples = frame.astype(np.float32) * self._gain
        samples = self._with_surroundings(samples)
        if self._clip is not None:
            samples = np.clip(samples, -self._clip, self._clip)
        return to_int16(self._telephone.received(self._network.carry(self._telephone.sent(samples))))

    def _with_surroundings(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        for loop in (self._noise, self._strange_voice):
            if loop is not None:
                samples = samples + loop[self._at : self._at + FRAME_SAMPLES]
        if self._noise is not None or self._strange_voice is not None:
            self._at = (self._at + FRAME_SAMPLES) % len(self._noise if self._noise is not None else self._strange_voice)  # type: ignore[arg-type]
        if self._echo_frames and len(self._echo) > self._echo_frames:
            samples = samples + self._echo.popleft()
        return samples

    def _loop(self, part: str) -> NDArray[np.float32]:
        condition = self.condition
        if part == "noise":
            loop, snr = noise_loop(condition.noise), condition.snr
        else:
            loop, snr = voice_loop(), condition.crosstalk
        begins = int(self._random(part).integers(len(loop) // FRAME_SAMPLES)) * FRAME_SAMPLES
        return np.roll(loop, -begins) * np.float32(32768 * _factor(SPEECH_DBFS - snr))

    def _stream(self, part: str) -> np.random.SeedSequence:
        return np.random.SeedSequence([self._seed, zlib.crc32(part.encode())])

    def _random(self, part: str) -> np.random.Generator:
        return np.random.default_rng(self._stream(part))


class _Telephone:
    """Band and codec of one direction; without a codec sound goes as it is."""

    def __init__(self, codec: Codec) -> None:
        self._law = codec
        self._band = TelephoneBand()

    def sent(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        """20 ms at 16 kHz to what its packet says."""
        if self._law == "none":
            return samples
        return decode(encode(to_int16(self._band.narrowed(samples)), self._law), self._law).astype(np.float32)

    def received(self, packet: NDArray[np.float32]) -> NDArray[np.float32]:
        """A packet's sound at 16 kHz."""
        return packet if self._law == "none" else self._band.widened(packet)


def _factor(db: float) -> float:
    return float(10 ** (db / 20))
