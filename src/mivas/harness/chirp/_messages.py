"""CHIRP's text frames and headers (runtime.md 8.1, 8.3). Pure."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias
from uuid import uuid4

CALL_ID_HEADER = "X-Simulation-Result-Id"
TOOLS_URL_HEADER = "X-Mivas-Tools-Url"
"""On the upgrade: where the agent's tool calls and reports of this call go (docs/chirp.md)."""
REPORTS_HEADER = "X-Mivas-Reports-Handoffs"
"""On the answer to the upgrade, with the value `true`: the agent reports every transfer, so silence means none."""

NORMAL, POLICY, FAILURE = 1000, 1008, 1011
"""Codes a call is closed with: it is over, not admitted, broken."""
FRAME_RATE_LIMIT = 100
"""Text frames a second that are read; a peer that sends more is talking to itself."""
LONGEST_TEXT = 65_536
"""Characters of a text frame that is read."""
LARGEST_FRAME = 2**20
"""Bytes of a message, 32 s of sound. A peer that sends a larger one is cut off."""

SpeechEdge: TypeAlias = Literal["speech.started", "speech.completed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoke:
    """The other side says that its speech begins or ends. Advisory."""

    edge: SpeechEdge
    utterance_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """The other side wants to know when everything before this was played."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionError:
    """The other side is broken."""

    code: str
    message: str


Message: TypeAlias = Spoke | Mark | SessionError


def read_message(text: str) -> Message | None:
    """What a text frame says; None for one to ignore: unknown, malformed, without what it needs."""
    if len(text) > LONGEST_TEXT:
        return None
    try:
        frame = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(frame, dict):
        return None
    data = frame.get("data")
    fields: dict[str, Any] = data if isinstance(data, dict) else {}
    match frame.get("type"):
        case "speech.started" | "speech.completed" as edge:
            return Spoke(edge=edge, utterance_id=_text(fields.get("utterance_id")) or new_utterance_id())
        case "mark" if name := _text(fields.get("name")):
            return Mark(name=name)
        case "session.error":
            return SessionError(code=_text(fields.get("code")) or "unknown", message=_text(fields.get("message")))
    return None


def speech_message(edge: SpeechEdge, utterance_id: str) -> str:
    """One's own speech begins or ends."""
    return _frame(edge, {"utterance_id": utterance_id})


def mark_message(name: str) -> str:
    """Everything before the mark of that name was played."""
    return _frame("mark", {"name": name})


def error_message(message: str) -> str:
    """A fatal problem; a close follows."""
    return _frame("session.error", {"code": "INTERNAL_ERROR", "message": message})


def new_utterance_id() -> str:
    """`u_` and 12 hexadecimal digits."""
    return f"u_{uuid4().hex[:12]}"


def _frame(kind: str, data: dict[str, str]) -> str:
    return json.dumps({"type": kind, "id": str(uuid4()), "ts_ms": round(time.time() * 1000), "data": data})


def _text(value: object) -> str:
    """A string's printable beginning; "" for anything else: what a peer says goes to logs."""
    text = value if isinstance(value, str) else ""
    return "".join(letter if letter.isprintable() else " " for letter in text[:200])


class TextBudget:
    """How many text frames of a peer are still read in this second."""

    def __init__(self) -> None:
        self._second = -1
        self._read = 0

    def allows(self, now_s: float) -> bool:
        """Count one frame; False: ignore it unread."""
        if int(now_s) != self._second:
            self._second, self._read = int(now_s), 0
        self._read += 1
        return self._read <= FRAME_RATE_LIMIT
