"""One direction of a line in motion: a frame in, the frame that arrives out. Seeded; nothing else is drawn from.

Each part has a random stream of its own, so that a change in one leaves the draws of all others as they were, and the
caller's own randomness is never touched: calls over different lines are pairs.
"""

from __future__ import annotations

import zlib
from collections import deque
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from mivas.line._condition import ChannelCondition
from mivas.line._filters import TELEPHONE_HZ, FrameBuffer, TelephoneBand, to_int16
from mivas.line._g711 import decode, encode
from mivas.line._noise import noise_loop, voice_loop
from mivas.line._packets import PACKET_MS, BurstLoss, Concealment, Jitter
from mivas.line._pcm import BUS_HZ, FRAME_MS, FRAME_SAMPLES, Pcm

if TYPE_CHECKING:
    from numpy.typing import NDArray

SPEECH_DBFS = -26.0
"""Level of active speech to which signal-to-noise ratios refer."""
PACKET_SAMPLES = TELEPHONE_HZ * FRAME_MS // 1000


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
        self._telephone = _Telephone(condition, self._random) if condition.codec != "none" else None

    @property
    def delay_ms(self) -> int:
        """How much later sound arrives than it was sent: resampling, packets and the jitter buffer."""
        return _delay_samples(self.condition.codec != "none", self.condition.buffer) * 1000 // BUS_HZ

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
        if self._telephone is None:
            return to_int16(samples)
        return to_int16(self._telephone.carry(samples))

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
    """Band, codec and packets of one direction."""

    def __init__(self, condition: ChannelCondition, random: object) -> None:
        self._law = condition.codec
        self._band = TelephoneBand()
        self._drifting = FrameBuffer(PACKET_SAMPLES, PACKET_SAMPLES) if condition.drift else None
        self._loss = BurstLoss(condition.loss / 100, condition.burst, random("loss"))  # type: ignore[operator]
        self._jitter = Jitter(condition.jitter, condition.buffer, random("jitter"))  # type: ignore[operator]
        self._concealment = Concealment()
        silent = np.zeros(PACKET_SAMPLES, dtype=np.float32)
        self._buffered = deque([silent] * round(condition.buffer / PACKET_MS))
        self._drift = condition.drift * 1e-6
        self._drifted = 0.0

    def carry(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        packet = self._band.narrowed(samples)
        assert self._law != "none"
        played: NDArray[np.float32] | None = decode(encode(to_int16(packet), self._law), self._law).astype(np.float32)
        lost, late = self._loss.lost(), self._jitter.too_late()
        played = self._concealment.play(None if lost or late else played)
        self._buffered.append(played if played is not None else np.zeros(PACKET_SAMPLES, dtype=np.float32))
        packet = self._buffered.popleft()
        if self._drifting is not None:
            packet = self._drifting.exchange(self._at_their_clock(packet))
        return self._band.widened(packet)

    def _at_their_clock(self, packet: NDArray[np.float32]) -> NDArray[np.float32]:
        """One sample left out or doubled whenever the two clocks are one apart."""
        self._drifted += self._drift * len(packet)
        if self._drifted >= 1:
            self._drifted -= 1
            return packet[1:]
        if self._drifted <= -1:
            self._drifted += 1
            return np.concatenate([packet[:1], packet])
        return packet


def _factor(db: float) -> float:
    return float(10 ** (db / 20))


@cache
def _delay_samples(telephone: bool, buffer_ms: float) -> int:
    """Where a click comes out: measured, since resamplers don't tell."""
    if not telephone:
        return 0
    channel = Channel(ChannelCondition(codec="ulaw"), 0)
    click = np.zeros(FRAME_SAMPLES, dtype=np.int16)
    click[0] = 30_000
    frames = [channel.process(click), *(channel.process(np.zeros_like(click)) for _ in range(10))]
    return int(np.argmax(np.abs(np.concatenate(frames)))) + round(buffer_ms / PACKET_MS) * FRAME_SAMPLES
