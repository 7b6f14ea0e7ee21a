"""A harness that waits for calls: the server side of CHIRP (runtime.md 8). Needs the extras `realtime` and `voice`.

Any harness answers: one with a voice of its own by itself, one for text with a voice and ears it is lent.
"""

from mivas.answer._options import AnswerOptions, Credentials
from mivas.answer._server import Answering, answering_calls
from mivas.answer._state import CallState, LocalState, RemoteState, is_tools_url
from mivas.answer._voices import AgentMaker, agent_maker

__all__ = [
    "AgentMaker",
    "AnswerOptions",
    "Answering",
    "CallState",
    "Credentials",
    "LocalState",
    "RemoteState",
    "agent_maker",
    "answering_calls",
    "is_tools_url",
]
