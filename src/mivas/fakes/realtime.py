"""Door to the doubles of real-time providers: OpenAI, Grok and Qwen over a WebSocket on loopback (docs/doubles.md).

Needs numpy and websockets (extras `voice` and `realtime`). Knows no pack, no harness and no model.
"""

from mivas.fakes._realtime_answer import Timing
from mivas.fakes._realtime_brain import (
    Brain,
    CallTool,
    EachAnswer,
    Output,
    Pause,
    Plan,
    PlannedSession,
    Say,
    SessionView,
    ToolOutput,
)
from mivas.fakes._realtime_double import RealtimeDouble, Received, Refused
from mivas.fakes._realtime_faults import FAULTS, Fault, parse_fault
from mivas.fakes._realtime_profiles import GROK, OPENAI, PROFILES, QWEN, RealtimeProfile
from mivas.fakes._realtime_script import CallStep, ScriptBrain, Step, WaitStep, anew, continued
from mivas.fakes._realtime_script_file import read_realtime_script

__all__ = [
    "FAULTS",
    "GROK",
    "OPENAI",
    "PROFILES",
    "QWEN",
    "Brain",
    "CallStep",
    "CallTool",
    "EachAnswer",
    "Fault",
    "Output",
    "Pause",
    "Plan",
    "PlannedSession",
    "RealtimeDouble",
    "RealtimeProfile",
    "Received",
    "Refused",
    "Say",
    "ScriptBrain",
    "SessionView",
    "Step",
    "Timing",
    "ToolOutput",
    "WaitStep",
    "anew",
    "continued",
    "parse_fault",
    "read_realtime_script",
]
