"""Stand-ins for what lives outside: a scripted endpoint that speaks the protocol of OpenAI's chat completions.

Real sockets on loopback and nothing behind them: knows no pack, no harness and no model.
"""

from mivas.fakes._chat_double import ChatDouble, ScriptNotFollowed
from mivas.fakes._chat_request import ChatRequest
from mivas.fakes._chat_script import BreakOff, Call, Garbage, Refuse, Reply, Stall, Step
from mivas.fakes._conversations import FAULTS, Conversations, read_conversations
from mivas.fakes._script import EachTime, Script

__all__ = [
    "FAULTS",
    "BreakOff",
    "Call",
    "ChatDouble",
    "ChatRequest",
    "Conversations",
    "EachTime",
    "Garbage",
    "Refuse",
    "Reply",
    "Script",
    "ScriptNotFollowed",
    "Stall",
    "Step",
    "read_conversations",
]
