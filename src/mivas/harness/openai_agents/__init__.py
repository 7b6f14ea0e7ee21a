"""OpenAI's real-time models through openai-agents: its agents, its transfers, its session (extra `openai-agents`).

The line, tools, transfers and the end of a call are those of `mivas.harness.realtime`; openai-agents is the session.
"""

from mivas.harness.openai_agents._harness import AgentsHarness, openai_realtime, openai_realtime_mini

__all__ = ["AgentsHarness", "openai_realtime", "openai_realtime_mini"]
