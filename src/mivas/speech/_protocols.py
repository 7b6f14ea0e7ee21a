"""What every voice and every ear promises."""

from __future__ import annotations

from typing import Protocol

from mivas.speech._pcm import Pcm


class Voice(Protocol):
    """Somebody's voice. Safe to use from several threads."""

    @property
    def name(self) -> str: ...

    @property
    def revision(self) -> str:
        """Changes whenever the sound may change: settings and the hash of the weights."""

    def speak(self, text: str, seed: int) -> Pcm:
        """Say any text: int16, mono, 16 kHz, without silence at its ends. The same text and seed sound the same.

        What can't be said is left out; a text of nothing sayable is no sound at all.
        """


class Ears(Protocol):
    """A recogniser. Safe to use from several threads."""

    @property
    def name(self) -> str: ...

    @property
    def revision(self) -> str: ...

    def hear(self, pcm: Pcm, prompt: str = "") -> str:
        """Words in the sound of one turn (int16, mono, 16 kHz), "" where nothing was said.

        Args:
            prompt: names and terms to expect, from the listener's own knowledge.
        """
