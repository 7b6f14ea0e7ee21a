"""What the service remembers of one call beside its tables: who was identified."""

from __future__ import annotations

from mivas.state import Call

_CALLER = "caller_id"


def caller_id(call: Call) -> str | None:
    """The caller that the last successful look-up named, or None."""
    pinned: str | None = call.memory.get(_CALLER)
    return pinned


def pin_caller(call: Call, caller: str) -> None:
    """Make `caller` the one everything from now on belongs to."""
    call.memory[_CALLER] = caller
