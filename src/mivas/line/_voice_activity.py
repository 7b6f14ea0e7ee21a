"""Where in a stream of frames somebody speaks, by its energy over a floor that follows the noise.

Energy, because detectors trained on speech fire on babble, which is speech. The floor falls at once and rises slowly,
so that it lies on the noise between words; it knows nothing of what comes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mivas.line._pcm import FRAME_MS, Pcm

LOWEST_FLOOR_DB = -60.0
"""dBFS. A line without any noise still counts as this loud."""
QUIETEST_SPEECH_DB = -48.0
"""dBFS below which nothing counts as speech, however silent the line."""
MARGIN_DB = 7.0
"""How far over the floor speech is."""
RISE_DB_PER_FRAME = 3.0 * FRAME_MS / 1000
"""How fast the floor follows noise that grows, 3 dB a second."""
FALL = 0.4
"""Share of the way down that the floor goes in one frame."""


@dataclass(slots=True)
class VoiceActivity:
    """One direction of one call."""

    floor_db: float = LOWEST_FLOOR_DB + 20
    """dBFS, before anything was heard: an ordinary line; silence brings it down within a few frames."""

    def is_speech(self, frame: Pcm) -> bool:
        """Whether somebody speaks in this frame. Called once for every frame, in order."""
        samples = frame.astype(np.float32)
        level_db = 10 * math.log10(float(samples @ samples) / (len(frame) * 32768.0**2) + 1e-12)
        if level_db < self.floor_db:
            self.floor_db = max(self.floor_db + (level_db - self.floor_db) * FALL, LOWEST_FLOOR_DB)
        else:
            self.floor_db += RISE_DB_PER_FRAME
        return level_db > max(self.floor_db + MARGIN_DB, QUIETEST_SPEECH_DB)
