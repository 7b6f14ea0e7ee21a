"""The graph of specialist agents as values: nodes, their tools, legal transfers."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

ToolKind: TypeAlias = Literal["industry", "handoff", "end_call", "human"]
"""What a tool does (runtime.md 6): post to the state service, change the active node, hang up, or post and hang up."""

END_CALL = "end_call"
"""The only pure session tool."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeTool:
    """A tool as one node may use it."""

    name: str
    kind: ToolKind
    handoff_to: str | None = None
    """Target node of a handoff, else None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A specialist: its prompt and the tools it may use."""

    id: str
    instructions: str
    """What its model is told, clock line included."""
    tools: tuple[NodeTool, ...]
    """In advertised order."""

    def tool(self, name: str) -> NodeTool | None:
        """The node's tool of that name, or None when the node doesn't own it."""
        return next((tool for tool in self.tools if tool.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A legal transfer between two nodes."""

    source: str
    tool: str
    target: str


@dataclass(frozen=True, kw_only=True)
class Blueprint:
    """The whole graph. The first node answers the call."""

    greeting: str | None
    """Exact opening line the runtime speaks, or None: the entry node opens by itself."""
    nodes: tuple[Node, ...]

    @property
    def entry(self) -> Node:
        return self.nodes[0]

    @cached_property
    def by_id(self) -> Mapping[str, Node]:
        return {node.id: node for node in self.nodes}

    def edges(self) -> Iterator[Edge]:
        """Every legal transfer, in file order."""
        for node in self.nodes:
            for tool in node.tools:
                if tool.handoff_to is not None:
                    yield Edge(source=node.id, tool=tool.name, target=tool.handoff_to)

    def human_exits(self) -> Iterator[Edge]:
        """Every tool that ends the call at a person, as an edge to `human`."""
        for node in self.nodes:
            for tool in node.tools:
                if tool.kind == "human":
                    yield Edge(source=node.id, tool=tool.name, target="human")

    def route(self, source: str, target: str) -> tuple[str, ...] | None:
        """Shortest legal list of transfer tools from one node to another, or None. Ties: file order.

        Returns () when source is target.
        """
        paths: dict[str, tuple[str, ...]] = {source: ()}
        queue = deque([source])
        while queue:
            here = queue.popleft()
            if here == target:
                return paths[here]
            for tool in self.by_id[here].tools:
                if tool.handoff_to is not None and tool.handoff_to not in paths:
                    paths[tool.handoff_to] = (*paths[here], tool.name)
                    queue.append(tool.handoff_to)
        return None
