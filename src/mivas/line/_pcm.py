"""Sound as it travels in a call: int16 samples, mono, 16 kHz, in frames of 20 ms (design.md 4, Audio)."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Pcm: TypeAlias = NDArray[np.int16]
"""Samples, shape (n,)."""
BUS_HZ = 16_000
FRAME_MS = 20
FRAME_SAMPLES = BUS_HZ * FRAME_MS // 1000
