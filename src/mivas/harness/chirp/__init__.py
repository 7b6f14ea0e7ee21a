"""CHIRP: calls over a WebSocket of raw sound (runtime.md 8). The harness `chirp:URL`, and what both ends share.

Importing the harness needs no extra; taking a call needs numpy and websockets.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from mivas.harness.chirp._harness import PASSWORD, USER, ChirpHarness, basic_authorization, chirp
from mivas.harness.chirp._messages import (
    CALL_ID_HEADER,
    FAILURE,
    LARGEST_FRAME,
    NORMAL,
    REPORTS_HEADER,
    TOOLS_URL_HEADER,
    Mark,
    Message,
    SessionError,
    SpeechEdge,
    Spoke,
    TextBudget,
    error_message,
    mark_message,
    new_utterance_id,
    read_message,
    speech_message,
)

if TYPE_CHECKING:
    from mivas.harness.chirp._arriving import ArrivingSound
    from mivas.harness.chirp._outgoing import Outgoing

__all__ = [
    "CALL_ID_HEADER",
    "FAILURE",
    "LARGEST_FRAME",
    "NORMAL",
    "PASSWORD",
    "REPORTS_HEADER",
    "TOOLS_URL_HEADER",
    "USER",
    "ArrivingSound",
    "ChirpHarness",
    "Mark",
    "Message",
    "Outgoing",
    "SessionError",
    "SpeechEdge",
    "Spoke",
    "TextBudget",
    "basic_authorization",
    "chirp",
    "error_message",
    "mark_message",
    "new_utterance_id",
    "read_message",
    "speech_message",
]

_SOUND = {"ArrivingSound": "_arriving", "Outgoing": "_outgoing"}


def __getattr__(name: str) -> Any:
    if name not in _SOUND:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_SOUND[name]}"), name)
