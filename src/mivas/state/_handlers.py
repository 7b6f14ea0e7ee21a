"""Typed tool handlers: one decorator, and the catalogue generated from them.

A tool's input type is the schema it advertises; its handler receives the raw JSON object and coerces what it needs
(formats.md 1). A refusal is a value. Source of the envelope: runtime.md 3.6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from mivas.state._call import Call

Arguments: TypeAlias = Mapping[str, Any]
"""Raw JSON arguments: any key may be missing, any value of any JSON type."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A tool that says no."""

    error_code: str
    message: str
    """Sentence the agent may speak."""
    data: Mapping[str, Any] | None = None
    """Facts that come with the refusal, in an envelope that has a field for data; None for most."""


class Unreadable(ValueError):
    """An argument that can't be read at all: answered as `unexpected`, and no defect of the handler."""


Success: TypeAlias = Mapping[str, Any]
Handler: TypeAlias = Callable[[Call, Arguments], Success | Refusal]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One entry of the catalogue; without a handler it is only advertised (handoffs, end_call)."""

    name: str
    description: str
    input_type: type
    """TypedDict whose schema is advertised as inputSchema."""
    output_type: type | None
    """TypedDict of the whole answer, or None for the pack's usual envelope."""
    handler: Handler | None

    def __call__(self, call: Call, arguments: Arguments) -> Success | Refusal:
        """Run the handler on raw arguments. Raises whatever the handler raises."""
        if self.handler is None:
            raise TypeError(f"{self.name} has no handler")
        return self.handler(call, arguments)


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolset:
    """What a pack's `tools.py` exports as `TOOLS`: its catalogue in order."""

    tools: tuple[Tool, ...]
    unexpected: Refusal
    """Answer when a handler breaks: fixed words, nothing written, the diagnostic only in the log."""


def tool(input_type: type, output_type: type | None = None) -> Callable[[Handler], Tool]:
    """Turn a function `(call, arguments) -> dict | Refusal` into a tool of the same name.

    Args:
        input_type: TypedDict whose schema agents see. The handler still gets raw arguments.
        output_type: TypedDict of the whole answer when it differs from the pack's usual envelope.
    The function's docstring is the description agents read; TypeError when it has none.
    """

    def decorate(handler: Handler) -> Tool:
        if not handler.__doc__:
            raise TypeError(f"tool {handler.__name__} needs a docstring: it is what agents read")
        return Tool(
            name=handler.__name__,
            description=_one_paragraph(handler.__doc__),
            input_type=input_type,
            output_type=output_type,
            handler=handler,
        )

    return decorate


def advertised(name: str, description: str, input_type: type, output_type: type | None = None) -> Tool:
    """A tool that the harness itself carries out; the state service answers 404 to it."""
    return Tool(
        name=name,
        description=_one_paragraph(description),
        input_type=input_type,
        output_type=output_type,
        handler=None,
    )


def _one_paragraph(text: str) -> str:
    return " ".join(text.split())
