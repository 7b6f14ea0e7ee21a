"""Door to the sound of a call: mouths, ears' front ends, the line between two ends. Needs numpy (extra `voice`)."""

from mivas.line._listening import AcousticListening, Listening, WordListening
from mivas.line._pcm import BUS_HZ, FRAME_MS, FRAME_SAMPLES, Pcm
from mivas.line._playout import Playout, Utterance
from mivas.line._speech_log import SpeechLog
from mivas.line._telephone import End, HungUp, Line, Path
from mivas.line._voice_activity import VoiceActivity

__all__ = [
    "BUS_HZ",
    "FRAME_MS",
    "FRAME_SAMPLES",
    "AcousticListening",
    "End",
    "HungUp",
    "Line",
    "Listening",
    "Path",
    "Pcm",
    "Playout",
    "SpeechLog",
    "Utterance",
    "VoiceActivity",
    "WordListening",
]
