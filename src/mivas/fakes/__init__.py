"""Stand-ins for what lives outside: a scripted endpoint that speaks the protocol of OpenAI's chat completions.

Real sockets on loopback and nothing behind them: knows no pack, no harness and no model.
"""

from mivas.fakes._chat_double import ChatDouble, ChatRequest, ScriptNotFollowed
from mivas.fakes._chat_script import BreakOff, Call, Garbage, Refuse, Reply, Stall, Step

__all__ = [
    "BreakOff",
    "Call",
    "ChatDouble",
    "ChatRequest",
    "Garbage",
    "Refuse",
    "Reply",
    "ScriptNotFollowed",
    "Stall",
    "Step",
]
