"""The floor: an agent that greets, then only asks for a moment until the caller leaves."""

from __future__ import annotations

from mivas.harness import Capabilities, Desk, TextAgent

GREETING = "Hello, thank you for calling."
WAITING = "One moment, please."


class NopAgent:
    """Does nothing, politely."""

    async def turn(self, heard: str | None) -> str:
        return GREETING if heard is None else WAITING

    async def aclose(self) -> None:
        """Nothing to free."""


class NopHarness:
    """Harness of the floor agent."""

    name = "nop"
    revision = "1"
    capabilities = Capabilities(modes=("text",), clock="virtual")

    def answer(self, desk: Desk) -> TextAgent:  # noqa: ARG002 (a desk it never works at)
        return NopAgent()
