"""Door to what a line does to sound: conditions, channels, codecs, recordings. Needs the extra `voice`."""

from mivas.line._channel import Channel
from mivas.line._condition import PRESETS, ChannelCondition, parse_condition
from mivas.line._g711 import decode, encode
from mivas.line._recorder import Recorder, read_recording

__all__ = [
    "PRESETS",
    "Channel",
    "ChannelCondition",
    "Recorder",
    "decode",
    "encode",
    "parse_condition",
    "read_recording",
]
