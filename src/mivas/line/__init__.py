"""What stands between two ends of a call: the clock and the event log; sound joins them with the voice tier.

Knows frames, milliseconds and who spoke; knows no pack, no agent and no score.
"""

from mivas.line._clock import RealTimeLoop, VirtualTimeLoop, hold, now_ms, start_call_clock
from mivas.line._events import (
    CallEnded,
    CallKind,
    CallStarted,
    EndedBy,
    Event,
    EventLog,
    Handoff,
    Interruption,
    Note,
    Problem,
    Role,
    Speech,
    ToolFinished,
    ToolStarted,
    Usage,
    event_line,
    read_events,
)
from mivas.line._interaction import Interaction, interaction_of, pooled

__all__ = [
    "CallEnded",
    "CallKind",
    "CallStarted",
    "EndedBy",
    "Event",
    "EventLog",
    "Handoff",
    "Interaction",
    "Interruption",
    "Note",
    "Problem",
    "RealTimeLoop",
    "Role",
    "Speech",
    "ToolFinished",
    "ToolStarted",
    "Usage",
    "VirtualTimeLoop",
    "event_line",
    "hold",
    "interaction_of",
    "now_ms",
    "pooled",
    "read_events",
    "start_call_clock",
]
