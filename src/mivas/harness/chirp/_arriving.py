"""Sound that comes in over a socket, played out at the line's pace, with its speech told from its silence.

What comes has no words and need have no boundaries: frames of any length, in bursts or as an endless stream of noise.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from mivas.line.spoken import BUS_HZ, FRAME_MS, FRAME_SAMPLES, Pcm, Playout, Utterance, VoiceActivity

PRIMED_MS = 40
"""Sound gathered before it is played, so that late frames tear no holes."""
ONSET_MS = 40
"""Speech below which a sound is a click."""
GAP_MS = 400
"""Silence that ends an utterance; shorter than anybody's idea of the end of a turn."""
BEHIND_MS = 100
"""Waiting sound above which silence between utterances is skipped: two clocks never run alike."""
SAMPLES_PER_MS = BUS_HZ // 1000
SILENCE: Pcm = np.zeros(FRAME_SAMPLES, dtype=np.int16)
SILENCE.setflags(write=False)


class ArrivingSound(Playout):
    """The mouth of an end whose sound comes from outside.

    Args:
        spoken: where utterances are kept as they begin: those of the playout that the call's log reads.
        longest_ms: sound that may wait.
        keep_newest: what goes when more comes: the oldest, as on a live line; else what came last.
    """

    def __init__(self, spoken: list[Utterance] | None = None, *, longest_ms: int, keep_newest: bool) -> None:
        super().__init__()
        if spoken is not None:
            self.spoken = spoken
        self._longest = longest_ms * SAMPLES_PER_MS
        self._keep_newest = keep_newest
        self._pieces: deque[Pcm] = deque()
        self._waiting = 0
        self._activity = VoiceActivity()
        self._open: Utterance | None = None
        self._onset_ms: int | None = None
        self._primed = False
        self._waited_ms = 0
        self._taken_in = 0
        self._gone = 0
        self._marks: deque[tuple[int, str]] = deque()
        self.dropped_ms = 0
        """Sound that didn't fit."""

    def arrive(self, data: bytes) -> None:
        """Take one binary frame: int16 LE, mono, 16 kHz, any length. An odd last byte is dropped."""
        pcm = np.frombuffer(data[: len(data) // 2 * 2], dtype="<i2").astype(np.int16)
        over = self._waiting + len(pcm) - self._longest
        if over > 0 and not self._keep_newest:
            pcm = pcm[: max(len(pcm) - over, 0)]
            self.dropped_ms += over // SAMPLES_PER_MS
        if len(pcm):
            self._pieces.append(pcm)
            self._waiting += len(pcm)
            self._taken_in += len(pcm)
        if over > 0 and self._keep_newest:
            self._take(over)
            self.dropped_ms += over // SAMPLES_PER_MS

    def mark(self, name: str) -> None:
        """Remember a mark behind all that came so far; beyond a hundred the oldest is forgotten."""
        self._marks.append((self._taken_in, name))
        if len(self._marks) > 100:
            self._marks.popleft()

    def due_marks(self) -> list[str]:
        """Names of marks before which everything was played, each told once."""
        due = []
        while self._marks and self._marks[0][0] <= self._gone:
            due.append(self._marks.popleft()[1])
        return due

    @property
    def speaking(self) -> bool:
        return bool(self._waiting) or self._open is not None

    @property
    def queued_ms(self) -> int:
        return self._waiting // SAMPLES_PER_MS

    def next_frame(self, t_ms: int) -> Pcm:
        """The 20 ms that are played from `t_ms` on."""
        if not self._is_ready():
            self._follow(SILENCE, t_ms)
            return SILENCE
        frame = self._frame()
        while self._follow(frame, t_ms) and self.queued_ms > BEHIND_MS:
            frame = self._frame()
        return frame

    def cut(self, t_ms: int) -> Utterance | None:
        """Drop what waits; the utterance that was cut off, None where nobody was in the middle of one."""
        waits = self._speech_waits()
        self._gone += self._waiting
        self._waiting = 0
        self._pieces.clear()
        self._primed = False
        utterance, self._open, self._onset_ms = self._open, None, None
        if utterance is None:
            return None
        sounded_ms = utterance.sounded_until_ms or t_ms
        utterance.interrupted = waits
        utterance.complete = True
        utterance.end_ms = t_ms if utterance.interrupted else sounded_ms
        return utterance if utterance.interrupted else None

    def _speech_waits(self) -> bool:
        """Whether somebody would be cut off."""
        while self.queued_ms >= FRAME_MS:
            if self._activity.is_speech(self._frame()):
                return True
        return False

    def _is_ready(self) -> bool:
        if not self._waiting:
            self._primed, self._waited_ms = False, 0
        elif not self._primed:
            self._primed = self.queued_ms >= PRIMED_MS or self._waited_ms >= PRIMED_MS
            self._waited_ms += FRAME_MS
        return self._primed

    def _frame(self) -> Pcm:
        pcm = self._take(FRAME_SAMPLES)
        if len(pcm) == FRAME_SAMPLES:
            return pcm
        frame = SILENCE.copy()
        frame[: len(pcm)] = pcm
        return frame

    def _take(self, count: int) -> Pcm:
        parts, wanted = [], min(count, self._waiting)
        self._waiting -= wanted
        self._gone += wanted
        while wanted:
            piece = self._pieces.popleft()
            if len(piece) > wanted:
                self._pieces.appendleft(piece[wanted:])
                piece = piece[:wanted]
            wanted -= len(piece)
            parts.append(piece)
        return parts[0] if len(parts) == 1 else np.concatenate(parts) if parts else SILENCE[:0]

    def _follow(self, frame: Pcm, t_ms: int) -> bool:
        """Keep track of utterances; whether this frame is silence that nobody would miss."""
        if self._activity.is_speech(frame):
            self._speech(t_ms)
            return False
        self._onset_ms = None
        utterance = self._open
        if utterance is None:
            return True
        assert utterance.sounded_until_ms is not None
        if t_ms + FRAME_MS - utterance.sounded_until_ms >= GAP_MS:
            utterance.end_ms, utterance.complete, self._open = utterance.sounded_until_ms, True, None
        return False

    def _speech(self, t_ms: int) -> None:
        if self._onset_ms is None:
            self._onset_ms = t_ms
        if self._open is None and t_ms + FRAME_MS - self._onset_ms >= ONSET_MS:
            self._open = Utterance(text="", start_ms=self._onset_ms)
            self.spoken.append(self._open)
        if self._open is not None:
            self._open.sounded_until_ms = t_ms + FRAME_MS
