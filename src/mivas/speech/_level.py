"""How loud sound is, and how loud it is made. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mivas.speech._pcm import RATE_HZ

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mivas.speech._pcm import Pcm

ACTIVE_DBFS = -26.0
"""Level of speech on the line."""
FRAME = RATE_HZ // 50
ACTIVE_SHARE = 1e-3
"""Energy of a frame in which there is speech, as a share of the loudest frame's: 30 dB less."""
SILENT_BELOW = 0.003
KEPT_MS = 10
"""Left of the silence at either end."""
SHORTEST_MS = 100
QUIETEST_DBFS = -55.0
"""Below it there is nothing to hear; a recogniser makes words up from silence."""


def trimmed(sound: NDArray[np.float32], rate_hz: int) -> NDArray[np.float32]:
    """Sound in -1..1 without the silence before and after it."""
    loud = np.flatnonzero(np.abs(sound) > SILENT_BELOW)
    if not len(loud):
        return sound[:0]
    kept = rate_hz * KEPT_MS // 1000
    return sound[max(0, int(loud[0]) - kept) : int(loud[-1]) + kept]


def levelled(sound: NDArray[np.float32]) -> Pcm:
    """Sound of 16 kHz at -26 dBFS over the frames in which there is speech."""
    if not len(sound):
        return np.zeros(0, dtype=np.int16)
    frames = sound[: len(sound) // FRAME * FRAME].reshape(-1, FRAME) if len(sound) >= FRAME else sound[None]
    energies = np.mean(frames**2, axis=1)
    active = energies[energies >= energies.max() * ACTIVE_SHARE]
    gain = 10 ** (ACTIVE_DBFS / 20) / np.sqrt(active.mean() + 1e-12)
    return np.asarray(np.clip(sound * gain * 32767, -32768, 32767), dtype=np.int16)


def audible(pcm: Pcm) -> bool:
    """Whether there may be words in it: it lasts, and its loudest half second isn't silence."""
    if len(pcm) < RATE_HZ * SHORTEST_MS // 1000:
        return False
    size = RATE_HZ // 2
    loudest = max(float(np.mean(pcm[at : at + size].astype(np.float32) ** 2)) for at in range(0, len(pcm), size))
    return bool(10 * np.log10(loudest / 32768.0**2 + 1e-12) >= QUIETEST_DBFS)
