"""A request for a completion, as a scripted endpoint reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """One request for a completion, as it arrived."""

    body: Mapping[str, Any]
    authorization: str | None = field(repr=False)

    @property
    def prompt(self) -> str | None:
        """The system message at the head; None when there is none."""
        first = self.body["messages"][0] if self.body["messages"] else {}
        return str(first["content"]) if first.get("role") == "system" else None

    @property
    def history(self) -> list[dict[str, Any]]:
        """All messages after the prompt."""
        messages: list[dict[str, Any]] = self.body["messages"]
        return messages[1:] if self.prompt is not None else messages

    @property
    def tools(self) -> dict[str, dict[str, Any]]:
        """Advertised functions by name, in order."""
        return {tool["function"]["name"]: tool["function"] for tool in self.body.get("tools", ())}

    def said(self, role: str) -> list[str]:
        """What one role said so far, in order; "" for a message without words."""
        return [str(message.get("content") or "") for message in self.history if message.get("role") == role]
