"""Typed tool handlers: one decorator, and the catalogue generated from them.

A handler's type describes the advertised schema; at run time it receives the raw JSON object and coerces what it needs
(formats.md 1). A refusal is a value. Source of the envelope: runtime.md 3.6.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, get_type_hints

from mivas.state._call import Call

Arguments: TypeAlias = Mapping[str, Any]
"""Raw JSON arguments: any key may be missing, any value of any JSON type."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A tool that says no."""

    error_code: str
    message: str
    """Sentence the agent may speak."""


Success: TypeAlias = Mapping[str, Any]
Handler: TypeAlias = Callable[[Call, Any], Success | Refusal]


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


def tool(handler: Handler) -> Tool:
    """Turn a function `(call, arguments: SomeTypedDict) -> dict | Refusal` into a tool of the same name.

    The docstring is the description an agent reads; the annotation of the second parameter gives inputSchema.
    Raises TypeError when either is missing.
    """
    return _tool(handler, output_type=None)


def tool_answering(output_type: type) -> Callable[[Handler], Tool]:
    """Like `tool`, for a tool whose whole answer has a schema of its own."""
    return lambda handler: _tool(handler, output_type=output_type)


def advertised(name: str, description: str, input_type: type, output_type: type | None = None) -> Tool:
    """A tool that the harness itself carries out; the state service answers 404 to it."""
    return Tool(
        name=name,
        description=_one_paragraph(description),
        input_type=input_type,
        output_type=output_type,
        handler=None,
    )


def _tool(handler: Handler, output_type: type | None) -> Tool:
    name = handler.__name__
    parameters = list(inspect.signature(handler).parameters)
    hints = get_type_hints(handler, include_extras=True)
    if len(parameters) != 2 or parameters[1] not in hints or not handler.__doc__:
        raise TypeError(f"tool {name} needs a docstring and the signature (call, arguments: SomeTypedDict)")
    return Tool(
        name=name,
        description=_one_paragraph(handler.__doc__),
        input_type=hints[parameters[1]],
        output_type=output_type,
        handler=handler,
    )


def _one_paragraph(text: str) -> str:
    return " ".join(text.split())
