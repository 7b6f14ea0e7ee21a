"""Voices and ears by name, found by entry point (formats.md 7)."""

from __future__ import annotations

from typing import Any

from mivas.errors import MivasError, UnknownName
from mivas.plug_ins import load_plug_in
from mivas.speech._protocols import Ears, Voice

CALLER_VOICES = tuple(f"hibari:{person}" for person in ("f1", "m1", "f2", "m2", "f3", "f4", "f5", "m3"))
"""In the order of the catalogue: american F, american M, american2 F, mature M, southern F, mature F, american2 F,
southern M (scoring.md 8.2)."""
AGENT_VOICE = "hibari:agent"


def load_voice(name: str) -> Voice:
    """The voice called `name` or `name:argument`. Raises UnknownName, WeightsMissing, InputError."""
    voice: Voice = _made("mivas.voices", name, "voice")
    return voice


def load_ears(name: str) -> Ears:
    """The ears called `name` or `name:argument`. Raises UnknownName, WeightsMissing, InputError."""
    ears: Ears = _made("mivas.ears", name, "ears")
    return ears


def _made(group: str, name: str, what: str) -> Any:
    wanted, _, argument = name.partition(":")
    factory = load_plug_in(group, wanted, what)
    try:
        return factory(argument or None)
    except MivasError:
        raise
    except Exception as error:
        # A plug-in is foreign code: whatever its factory raises is told as its defect.
        raise UnknownName(
            f"can't be built ({type(error).__name__}: {error})", where=f"{what} {name}", mend="give it what it needs"
        ) from error
