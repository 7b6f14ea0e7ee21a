"""A world in motion: tool handlers over one private SQLite database per call, and the HTTP service around them.

Knows no pack by name, no agent graph and no score: an acting node is a word in its log.
"""

from mivas.state._call import Call, CallMemory
from mivas.state._catalogue import catalogue_text, load_toolset
from mivas.state._handlers import Arguments, Refusal, Tool, Toolset, advertised, tool
from mivas.state._service import Answer, LoggedCall, StateService, machine_now, open_service
from mivas.state._store import CallStore, RunFolder, ServiceFolder

__all__ = [
    "Answer",
    "Arguments",
    "Call",
    "CallMemory",
    "CallStore",
    "LoggedCall",
    "Refusal",
    "RunFolder",
    "ServiceFolder",
    "StateService",
    "Tool",
    "Toolset",
    "advertised",
    "catalogue_text",
    "load_toolset",
    "machine_now",
    "open_service",
    "tool",
]
