"""Packets that get lost or come late, and what is played in their place. Pure given its random stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

PACKET_MS = 20.0
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
    """Repeats the last packet that came, more softly each time."""

    _last: NDArray[np.float32] | None = None
    _missing: int = 0

    def play(self, packet: NDArray[np.float32] | None) -> NDArray[np.float32] | None:
        """What is heard for a packet, None for a missing one; None: nothing was ever heard."""
        if packet is not None:
            self._last, self._missing = packet, 0
            return packet
        self._missing += 1
        if self._last is None:
            return None
        fade = FADES[self._missing - 1] if self._missing <= len(FADES) else 0.0
        return self._last * np.float32(fade)
