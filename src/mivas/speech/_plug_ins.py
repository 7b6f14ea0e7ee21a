"""What the entry points name; what it needs is imported when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mivas.speech._protocols import Ears, Voice


def hibari(argument: str | None) -> Voice:
    """Entry point `mivas.voices: hibari`."""
    from mivas.speech._hibari import hibari as made

    return made(argument)


def whisper(argument: str | None) -> Ears:
    """Entry point `mivas.ears: whisper`."""
    from mivas.speech._whisper import whisper as made

    return made(argument)


def openai_voice(argument: str | None) -> Voice:
    """Entry point `mivas.voices: openai`."""
    from mivas.speech._cloud import cloud_voice as made

    return made(argument)


def openai_ears(argument: str | None) -> Ears:
    """Entry point `mivas.ears: openai`."""
    from mivas.speech._cloud import cloud_ears as made

    return made(argument)
