"""Packets that get lost or come late, and what is played in their place. Pure given its random stream."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mivas.line._pcm import FRAME_MS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mivas.line._condition import ChannelCondition

PACKET_MS = float(FRAME_MS)
FADES = (0.85, 0.6, 0.3)
"""Loudness of a repeated packet, by how many are missing in a row; after them silence."""
WITHIN_SD = 1.96
"""95 of 100 draws lie within so many standard deviations."""


@dataclass(slots=True)
class BurstLoss:
    """Gilbert-Elliott: in its bad state every packet is lost, in its good one none is.

    Args:
        rate: share of packets lost in the long run, 0..1.
        burst_ms: mean length of a run of losses.
    """

    rate: float
    burst_ms: float
    random: np.random.Generator
    _bad: bool = False

    def lost(self) -> bool:
        """Whether the next packet is."""
        draw = self.random.random()
        if self.rate <= 0:
            return False
        leaves = min(1.0, PACKET_MS / self.burst_ms)
        enters = min(1.0, leaves * self.rate / (1 - self.rate))
        self._bad = draw >= leaves if self._bad else draw < enters
        return self._bad


@dataclass(slots=True)
class Jitter:
    """How late packets are over the fastest; 95 of 100 within `jitter_ms`."""

    jitter_ms: float
    buffer_ms: float
    random: np.random.Generator

    def too_late(self) -> bool:
        """Whether the next packet misses its turn to be played."""
        late_ms = abs(float(self.random.normal())) * self.jitter_ms / WITHIN_SD
        return late_ms > self.buffer_ms and self.jitter_ms > 0


@dataclass(slots=True)
class Concealment:
    """Repeats the last packet that came, more softly each time; before the first one there is silence."""

    _last: NDArray[np.float32]
    _missing: int = 0

    def play(self, packet: NDArray[np.float32] | None) -> NDArray[np.float32]:
        """What is heard for a packet, None for a missing one."""
        if packet is not None:
            self._last, self._missing = packet, 0
            return packet
        self._missing += 1
        fade = FADES[self._missing - 1] if self._missing <= len(FADES) else 0.0
        return self._last * np.float32(fade)


class ClockDrift:
    """A receiver's clock that runs fast or slow against the sender's.

    A sample is left out or doubled whenever the clocks are one sample apart. When that comes to a packet, it is
    repeated (the receiver is fast and has nothing left) or dropped (it has one too many), so that the delay stays
    within a packet however long the call is.
    """

    def __init__(self, ppm: float, samples: int) -> None:
        self._ppm, self._samples = ppm, samples
        self._apart = 0.0
        self._latest = np.zeros(samples, dtype=np.float32)
        self._waiting = self._latest[: samples if ppm > 0 else 0]

    def exchange(self, packet: NDArray[np.float32]) -> NDArray[np.float32]:
        """The packet that is played when this one comes, of the same length."""
        self._apart += self._ppm * 1e-6 * self._samples
        if self._apart >= 1:
            self._apart, packet = self._apart - 1, packet[1:]
        elif self._apart <= -1:
            self._apart, packet = self._apart + 1, np.concatenate((packet[:1], packet))
        ready = np.concatenate((self._waiting, packet))
        if len(ready) < self._samples:
            ready = np.concatenate((self._latest, ready))
        self._latest, self._waiting = ready[: self._samples], ready[self._samples :]
        if len(self._waiting) > self._samples:
            self._waiting = self._waiting[self._samples :]
        return self._latest


class Network:
    """The way of packets from end to end: one in, one out, later by the buffer.

    Args:
        samples: in a packet.
        random: a stream of its own for each part, by name.
    """

    def __init__(self, condition: ChannelCondition, samples: int, random: Callable[[str], np.random.Generator]) -> None:
        held = held_packets(condition)
        silence = np.zeros(samples, dtype=np.float32)
        self._loss = BurstLoss(condition.loss / 100, condition.burst, random("loss"))
        self._jitter = Jitter(condition.jitter, held * PACKET_MS, random("jitter"))
        self._concealment = Concealment(silence)
        self._buffer = deque([silence] * held)
        self._drift = ClockDrift(condition.drift, samples) if condition.drift else None

    def carry(self, packet: NDArray[np.float32]) -> NDArray[np.float32]:
        """What is played in the tick in which `packet` is sent."""
        lost, late = self._loss.lost(), self._jitter.too_late()
        self._buffer.append(self._concealment.play(None if lost or late else packet))
        played = self._buffer.popleft()
        return played if self._drift is None else self._drift.exchange(played)


def held_packets(condition: ChannelCondition) -> int:
    """How many packets the jitter buffer holds: whole ones, so a started one counts."""
    return math.ceil(condition.buffer / PACKET_MS)


def network_delay_ms(condition: ChannelCondition) -> int:
    """Of the buffer, and half a packet, on average, where clocks drift."""
    return round(held_packets(condition) * PACKET_MS + (PACKET_MS / 2 if condition.drift else 0))
