"""What goes out over a socket: sound and text in order, without ever blocking the line."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import Protocol

from mivas.line.spoken import FRAME_MS, Pcm, VoiceActivity

KEPT_FRAMES = 50
"""Frames of sound that wait for a slow peer, 1 s; then the oldest goes."""
HANG_OVER_MS = 400


class Socket(Protocol):
    """The part of a WebSocket connection that is used here."""

    async def send(self, message: str | bytes) -> None: ...


class Outgoing:
    """A queue that a task of its own empties into the socket."""

    def __init__(self) -> None:
        self._queue: deque[str | bytes] = deque()
        self._frames = 0
        self._wake = asyncio.Event()

    def sound(self, frame: Pcm) -> None:
        """Send 20 ms of sound as one binary frame; doesn't block."""
        if self._frames >= KEPT_FRAMES:
            oldest = next(index for index, one in enumerate(self._queue) if isinstance(one, bytes))
            del self._queue[oldest]
            self._frames -= 1
        self._frames += 1
        self._put(frame.astype("<i2").tobytes())

    def text(self, message: str) -> None:
        """Send a text frame; doesn't block."""
        self._put(message)

    def rest(self) -> list[str | bytes]:
        """Take what still waits, for whoever closes the socket."""
        waiting = list(self._queue)
        self._queue.clear()
        self._frames = 0
        return waiting

    async def send_to(self, socket: Socket) -> None:
        """Empty the queue into the socket until it is closed."""
        from websockets.exceptions import ConnectionClosed

        with suppress(ConnectionClosed):
            while True:
                await self._wake.wait()
                while self._queue:
                    message = self._queue.popleft()
                    self._frames -= isinstance(message, bytes)
                    await socket.send(message)
                self._wake.clear()

    def _put(self, message: str | bytes) -> None:
        self._queue.append(message)
        self._wake.set()


class SpeechEdges:
    """Where speech begins and ends in a stream of frames."""

    def __init__(self) -> None:
        self._activity = VoiceActivity()
        self._silence_ms = 0
        self._speech_ms = 0
        self.speaking = False

    def changed(self, frame: Pcm) -> bool:
        """Take the next frame; whether `speaking` changed with it."""
        if self._activity.is_speech(frame):
            self._speech_ms += FRAME_MS
            self._silence_ms = 0
        else:
            self._speech_ms = 0
            self._silence_ms += FRAME_MS
        was = self.speaking
        self.speaking = self._silence_ms < HANG_OVER_MS if was else self._speech_ms >= 2 * FRAME_MS
        return self.speaking != was
