"""One end's mouth: utterances waiting to be played, 20 ms at a time (runtime.md 13.2).

Whoever speaks hands over whole utterances or pieces of them as they are made; the line takes one frame per tick. So
sound leaves at the pace of speech, however fast it was made, and what is dropped on barge-in was never heard.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import numpy as np

from mivas.line._pcm import FRAME_MS, FRAME_SAMPLES, Pcm

SAMPLES_PER_MS = FRAME_SAMPLES // FRAME_MS
SILENCE: Pcm = np.zeros(FRAME_SAMPLES, dtype=np.int16)
SILENCE.setflags(write=False)


@dataclass(slots=True, eq=False)
class Utterance:
    """Words on their way out, with their sound."""

    text: str
    node: str | None = None
    """Node that says it; None for a caller."""
    start_ms: int | None = None
    """When its first sample was played, on the call's clock; None: not yet."""
    end_ms: int | None = None
    """When its last sample was played, or when it was cut."""
    sounded_until_ms: int | None = None
    """When its latest sample was played."""
    interrupted: bool = False
    complete: bool = False
    """Whether all of its sound was handed over."""
    _sound: deque[Pcm] = field(default_factory=deque)
    _at: int = 0
    """Sample of the first piece that is played next."""
    samples: int = 0
    """Handed over so far."""
    played: int = 0
    """Samples that went out."""

    def add(self, pcm: Pcm) -> None:
        """Hand over more of its sound: int16, mono, 16 kHz, any length."""
        if len(pcm):
            self._sound.append(pcm)
            self.samples += len(pcm)

    @property
    def heard_ms(self) -> int:
        """How much of it went out, in ms."""
        return self.played // SAMPLES_PER_MS

    def words_until(self, played: int) -> int:
        """How many whole words had gone out when `played` samples had, by the share of the sound."""
        words = self.text.split()
        if self.complete and played >= self.samples:
            return len(words)
        letters = sum(map(len, words)) * played / max(self.samples, 1)
        whole = 0
        for word in words:
            letters -= len(word)
            if letters < 0:
                break
            whole += 1
        return whole

    @property
    def heard_text(self) -> str:
        """The words that went out."""
        return " ".join(self.text.split()[: self.words_until(self.played)]) if self.interrupted else self.text

    def take(self, count: int) -> Pcm:
        """Up to `count` samples that come next; fewer when that's all there is."""
        parts, wanted = [], count
        while wanted and self._sound:
            piece = self._sound[0]
            part = piece[self._at : self._at + wanted]
            self._at += len(part)
            wanted -= len(part)
            if self._at >= len(piece):
                self._sound.popleft()
                self._at = 0
            parts.append(part)
        taken = parts[0] if len(parts) == 1 else np.concatenate(parts) if parts else SILENCE[:0]
        self.played += len(taken)
        return taken

    @property
    def waits(self) -> bool:
        """Whether some of its sound is still to be played."""
        return bool(self._sound)


class Playout:
    """What one end says, in order. Used from the call's loop only."""

    def __init__(self) -> None:
        self._queue: deque[Utterance] = deque()
        self.spoken: list[Utterance] = []
        """Utterances that began, in order; the last one may still be playing."""

    def say(self, text: str, pcm: Pcm, *, node: str | None = None) -> Utterance:
        """Queue a whole utterance."""
        utterance = self.begin(text, node=node)
        utterance.add(pcm)
        utterance.complete = True
        return utterance

    def begin(self, text: str = "", *, node: str | None = None) -> Utterance:
        """Queue an utterance whose sound (`add`) and words come bit by bit; set `complete` after the last."""
        utterance = Utterance(text=text, node=node)
        self._queue.append(utterance)
        return utterance

    @property
    def speaking(self) -> bool:
        """Whether anything is being played or waits to be."""
        return bool(self._queue)

    @property
    def queued_ms(self) -> int:
        """Sound that is ready and not yet played."""
        return sum(one.samples - one.played for one in self._queue) // SAMPLES_PER_MS

    def next_frame(self, t_ms: int) -> Pcm:
        """The 20 ms that are played from `t_ms` on: 320 samples, silence where nothing is said.

        An utterance that begins in the frame starts at its beginning; one that runs dry ends where its sound does.
        """
        if not self._queue:
            return SILENCE
        utterance = self._queue[0]
        pcm = utterance.take(FRAME_SAMPLES)
        if len(pcm):
            utterance.sounded_until_ms = t_ms + -(-len(pcm) // SAMPLES_PER_MS)
            if utterance.start_ms is None:
                utterance.start_ms = t_ms
                self.spoken.append(utterance)
        if utterance.complete and not utterance.waits:
            utterance.end_ms = utterance.sounded_until_ms
            self._queue.popleft()
        if len(pcm) == FRAME_SAMPLES:
            return pcm
        frame = SILENCE.copy()
        frame[: len(pcm)] = pcm
        return frame

    def cut(self, t_ms: int) -> Utterance | None:
        """Barge-in: drop all that wasn't played, and return the utterance that was cut off, None if none had begun."""
        first = self._queue[0] if self._queue else None
        self._queue.clear()
        if first is None or first.start_ms is None:
            return None
        first.interrupted = True
        first.end_ms = t_ms
        return first
