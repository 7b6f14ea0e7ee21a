"""Who answers: the graph runtime, the desk an agent works at, and the promise every harness makes.

Owns no policy, price or schema, knows no pack by name and never sees a task.
"""

from mivas.endpoint import Endpoint, EndpointError
from mivas.harness._call_end import AgentLine, AgentSink, RemoteCall, VoiceAgent, VoiceHarness
from mivas.harness._chat import chat
from mivas.harness._desk import Desk, HangUp, ToolResult, Tools, ToolsUnreachable
from mivas.harness._graph import GraphRuntime, Ruling, Scope
from mivas.harness._harness import Capabilities, Harness, TextAgent, known_harnesses, load_harness

__all__ = [
    "AgentLine",
    "AgentSink",
    "Capabilities",
    "Desk",
    "Endpoint",
    "EndpointError",
    "GraphRuntime",
    "HangUp",
    "Harness",
    "RemoteCall",
    "Ruling",
    "Scope",
    "TextAgent",
    "ToolResult",
    "Tools",
    "ToolsUnreachable",
    "VoiceAgent",
    "VoiceHarness",
    "chat",
    "known_harnesses",
    "load_harness",
]
