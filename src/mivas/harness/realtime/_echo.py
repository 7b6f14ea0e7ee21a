"""What of the caller's sound a provider gets while its own voice may come back to it (runtime.md 13.3). Pure."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import numpy as np

from mivas.line.spoken import FRAME_MS, Pcm

THRESHOLD_RMS = 700.0
"""Twice the level from which a caller counts as speaking (350 of 32,768)."""
WINDOW_MS = 1250
"""How long after the agent's last audible sound its echo may still come."""
OPEN_MS = 600
"""How long the gate stays open after loud speech: between words a voice is quiet."""
PRE_ROLL_MS = 200
"""Sound that is let through once the gate opens: words begin softly."""


@dataclass(slots=True)
class EchoGate:
    """Lets everything through outside the window; inside it only what is louder than an echo. One frame in, frames out.

    Silence is sent in place of what is held back, so that the provider's clock and detectors run on.
    """

    _since_agent_ms: int = WINDOW_MS
    _open_ms: int = 0
    _held: deque[Pcm] = field(default_factory=lambda: deque(maxlen=PRE_ROLL_MS // FRAME_MS))

    def admit(self, frame: Pcm, *, agent_speaks: bool) -> tuple[Pcm, ...]:
        """The frames to send for this one: itself, silence for it, or with it what was held back before."""
        self._since_agent_ms = 0 if agent_speaks else min(self._since_agent_ms + FRAME_MS, WINDOW_MS)
        if self._since_agent_ms >= WINDOW_MS:
            self._held.clear()
            self._open_ms = 0
            return (frame,)
        samples = frame.astype(np.float32)
        loud = float(samples @ samples) >= THRESHOLD_RMS**2 * len(frame)
        self._open_ms = OPEN_MS if loud else max(0, self._open_ms - FRAME_MS)
        if self._open_ms:
            frames = (*self._held, frame)
            self._held.clear()
            return frames
        self._held.append(frame)
        return (np.zeros_like(frame),)
