"""Can this call be scored at all? Pending and void calls leave every denominator. Source: scoring.md 3.8."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from mivas.verify._flatten import Call, as_list, is_empty

Mark: TypeAlias = Literal["pass", "FAIL", "VOID", "MISS", "wait"]

_PENDING = frozenset(
    {"INITIALIZING", "RUNNING", "IN_PROGRESS", "QUEUED", "PENDING", "EVALUATING", "CONVERSATION_ENDED"}
)
_BROKEN = frozenset({"NO_ANSWER", "NO_CONNECTION", "CANCELLED", "SYSTEM_ERROR", "ERROR"})
_AGENT_ROLES = frozenset({"AGENT", "ASSISTANT"})
_TEXT_KEYS = ("text", "utterance", "content")


def is_pending(result: Mapping[str, Any]) -> bool:
    """Whether the call isn't over yet, or its evidence still arrives."""
    return _status(result) in _PENDING


def void_reason(result: Mapping[str, Any], calls: Sequence[Call], spoken: int | None) -> str | None:
    """Why the call can't be held against the agent, or None when it can. First reason wins.

    Args:
        spoken: characters the agent spoke (`agent_chars`); None without a transcript.
    """
    status = _status(result)
    if status in _BROKEN:
        return f"status_{status.lower()}"
    traces = result.get("trace_ids")
    if traces is not None and is_empty(traces):
        return "no_trace"
    if not calls and any(isinstance(group, dict) and group.get("expected") for group in _groups(result)):
        return "no_tool_evidence"
    if spoken == 0:
        return "no_agent_turn"
    return None


def agent_chars(result: Mapping[str, Any]) -> int | None:
    """Characters the agent spoke, ends of turns stripped; None without a transcript."""
    turns = result.get("transcript")
    if not isinstance(turns, list):
        return None
    spoken = 0
    for turn in turns:
        if isinstance(turn, dict) and isinstance(role := turn.get("role"), str) and role.upper() in _AGENT_ROLES:
            spoken += _length(turn)
    return spoken


def _length(turn: Mapping[str, Any]) -> int:
    """Characters of a turn's text, under the first of its names that holds any."""
    for key in _TEXT_KEYS:
        text = turn.get(key)
        if isinstance(text, str) and (length := len(text.strip())):
            return length
    return 0


def _status(result: Mapping[str, Any]) -> str:
    status = result.get("status")
    return status.upper() if isinstance(status, str) else ""


def _groups(result: Mapping[str, Any]) -> Sequence[Any]:
    return as_list(result.get("tool_calls"))
