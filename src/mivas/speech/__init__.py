"""Voices, ears and spoken text: from words to sound and back. Knows no pack, no agent and no call.

Weights come inside packages of the extra `voice` (docs/speech.md says whose they are) and are loaded when first used.
"""

from mivas.speech._cache import CachedEars, CachedVoice
from mivas.speech._errors import WeightsMissing
from mivas.speech._inventory import WEIGHTS, Weights
from mivas.speech._load import AGENT_VOICE, CALLER_VOICES, load_ears, load_voice
from mivas.speech._protocols import Ears, Voice
from mivas.speech._spoken import spoken
from mivas.speech._word_error import word_error
from mivas.speech._written import written

__all__ = [
    "AGENT_VOICE",
    "CALLER_VOICES",
    "WEIGHTS",
    "CachedEars",
    "CachedVoice",
    "Ears",
    "Voice",
    "Weights",
    "WeightsMissing",
    "load_ears",
    "load_voice",
    "spoken",
    "word_error",
    "written",
]
