"""A blueprint as agents of openai-agents: every node an agent, every transfer a native handoff. Needs the package."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from agents import FunctionTool, Handoff, RunContextWrapper
from agents.realtime import RealtimeAgent
from agents.tool_context import ToolContext

from mivas.harness._projection import chat_schema
from mivas.pack import Blueprint, CatalogueTool, Node

Agent: TypeAlias = RealtimeAgent[None]
Agents: TypeAlias = Mapping[str, Agent]
"""By the node's id."""
UseTool: TypeAlias = Callable[[str], Awaitable[str]]
"""From the provider's id of a call to its result, as JSON text."""
Transfer: TypeAlias = Callable[[str], Awaitable[str]]
"""From the name of a transfer tool to the node that has the call afterwards."""
Instruct: TypeAlias = Callable[[Node], str]
"""What a node's model is told."""


def build_agents(
    blueprint: Blueprint,
    catalogue: Mapping[str, CatalogueTool],
    *,
    instruct: Instruct,
    use: UseTool,
    transfer: Transfer,
) -> Agents:
    """An agent for every node. Transfers may go round in circles, so agents come first and their handoffs after."""
    agents = {node.id: _agent(node, instruct) for node in blueprint.nodes}
    for node in blueprint.nodes:
        for tool in node.tools:
            offer = catalogue[tool.name]
            if tool.handoff_to is None:
                agents[node.id].tools.append(_function(offer, use))
            else:
                agents[node.id].handoffs.append(_handoff(offer, tool.handoff_to, agents, transfer))
    return agents


def _agent(node: Node, instruct: Instruct) -> Agent:
    return RealtimeAgent(name=node.id, instructions=lambda _context, _agent: instruct(node))


def _function(offer: CatalogueTool, use: UseTool) -> FunctionTool:
    async def invoke(context: ToolContext[Any], _arguments: str) -> str:
        return await use(context.tool_call_id)

    return FunctionTool(
        name=offer.name,
        description=offer.description,
        params_json_schema=_closed(offer),
        on_invoke_tool=invoke,
        strict_json_schema=False,
    )


def _handoff(offer: CatalogueTool, target: str, agents: Agents, transfer: Transfer) -> Handoff[None, Agent]:
    async def invoke(_context: RunContextWrapper[Any], _arguments: str) -> Agent:
        return agents[await transfer(offer.name)]

    return Handoff(
        tool_name=offer.name,
        tool_description=offer.description,
        input_json_schema=_closed(offer),
        on_invoke_handoff=invoke,
        agent_name=target,
        strict_json_schema=False,
    )


def _closed(offer: CatalogueTool) -> dict[str, Any]:
    """A tool's schema as the package wants it: an object that takes nothing else (runtime.md 7.2)."""
    return {**chat_schema(offer.input_schema), "additionalProperties": False}
