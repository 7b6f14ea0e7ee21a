"""One end's hearing: from frames to "the other side is talking", "it has stopped", and the words of its turn.

`AcousticListening` goes by the sound alone. `WordListening` is told the words and when they were really spoken: for the
voiced-text tier, where sound is made and recorded but nobody has to understand it (never mixed with the other in one
table).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from mivas.line._pcm import FRAME_MS, Pcm
from mivas.line._playout import Playout
from mivas.line._voice_activity import VoiceActivity

PRE_ROLL_MS = 300
"""Sound kept from before speech was noticed, so that soft onsets aren't lost (failure-modes.md 18)."""
BREATH_MS = 200
"""A gap up to which two pieces of speech are one run."""
LONGEST_TURN_MS = 120_000
"""Sound kept of one turn. Beyond that the oldest goes: a line full of noise must not fill the memory."""


class Listening(Protocol):
    """What one end hears of the other. One frame per 20 ms, in order."""

    speech_ms: int
    """Speech in the turn so far; 0: nothing yet."""
    silence_ms: int
    """Since speech was last heard, or since the turn was taken."""
    run_ms: int
    """Speech without a gap longer than a breath, up to now; 0 while it is silent."""

    def frame(self, frame: Pcm) -> None:
        """Take the next 20 ms."""

    async def take(self) -> str:
        """The words of the turn so far, "" when there were none to make out; a new turn begins at once."""

    def drop(self) -> None:
        """Forget the turn so far: it was a click, a cough, a gust."""

    @property
    def passes_words(self) -> bool:
        """Whether words come beside the sound, so that nothing is measured about hearing."""


@dataclass(slots=True)
class _Activity:
    """Counts speech and silence of one turn."""

    speech_ms: int = 0
    silence_ms: int = 0
    run_ms: int = 0

    def frame(self, speech: bool) -> None:
        if speech:
            self.speech_ms += FRAME_MS
            self.run_ms += FRAME_MS
            self.silence_ms = 0
            return
        self.silence_ms += FRAME_MS
        if self.silence_ms > BREATH_MS:
            self.run_ms = 0

    def reset(self) -> None:
        self.speech_ms = self.silence_ms = self.run_ms = 0


class AcousticListening(_Activity):
    """Hears by the sound alone.

    Args:
        hear: from the sound of a turn (int16, mono, 16 kHz) to words. Runs in a thread; a virtual clock waits for it.
    """

    passes_words = False

    def __init__(self, hear: Callable[[Pcm], str]) -> None:
        super().__init__()
        self._hear = hear
        self._activity = VoiceActivity()
        self._frames: deque[Pcm] = deque(maxlen=LONGEST_TURN_MS // FRAME_MS)
        self._pre_roll: deque[Pcm] = deque(maxlen=PRE_ROLL_MS // FRAME_MS)

    def frame(self, frame: Pcm) -> None:  # type: ignore[override]
        super().frame(self._activity.is_speech(frame))
        if self.speech_ms:
            if not self._frames:
                self._frames.extend(self._pre_roll)
            self._frames.append(frame)
        else:
            self._pre_roll.append(frame)

    def drop(self) -> None:
        self._frames.clear()
        self._pre_roll.clear()
        self.reset()

    async def take(self) -> str:
        frames = list(self._frames)
        self.drop()
        if not frames:
            return ""
        return await asyncio.get_running_loop().run_in_executor(None, self._hear, np.concatenate(frames))


class WordListening(_Activity):
    """Is told what the other end says, as far as it was played, and hears its boundaries exactly."""

    passes_words = True

    def __init__(self, other: Playout) -> None:
        super().__init__()
        self._other = other
        self._taken = 0
        """Utterances whose words were taken whole."""
        self._words = 0
        """Words taken of the one after them."""

    def frame(self, _frame: Pcm) -> None:  # type: ignore[override]
        spoken = self._other.spoken
        super().frame(bool(spoken) and spoken[-1].end_ms is None)

    def drop(self) -> None:
        """Nothing is forgotten: words that are passed were said."""
        self.reset()

    async def take(self) -> str:
        return self.words()

    def words(self) -> str:
        """What `take` gives, at once."""
        heard: list[str] = []
        for utterance in self._other.spoken[self._taken :]:
            words = utterance.text.split()[self._words : utterance.words_until(utterance.played)]
            heard += words
            self._words += len(words)
            if utterance.end_ms is not None:
                self._taken += 1
                self._words = 0
        self.reset()
        return " ".join(heard)
