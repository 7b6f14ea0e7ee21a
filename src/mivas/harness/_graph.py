"""The graph runtime: the one place that decides which node is active, which transfer is legal, which tool may fire.

Pure: it posts nothing and knows no pack. Source: runtime.md 6, design.md 4 (Harness core).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from mivas.pack import Blueprint, Node, NodeTool, ToolKind

Scope: TypeAlias = Literal["enforce", "observe"]
"""enforce: a tool the active node doesn't own gets an error result; observe: it goes through and is logged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What the runtime makes of a tool call."""

    tool: NodeTool | None
    """The tool to carry out, or None: refused."""
    kind: ToolKind | None
    """What the tool is, wherever in the graph it stands; None when no node has it."""
    in_scope: bool
    refusal: str | None = None
    """Why it was refused, for the model to read; None when it goes through."""


class GraphRuntime:
    """One call's walk through a blueprint."""

    def __init__(self, blueprint: Blueprint, scope: Scope = "enforce") -> None:
        self._blueprint = blueprint
        self._scope = scope
        self._node = blueprint.entry

    @property
    def node(self) -> Node:
        """The node that has the call."""
        return self._node

    def rule(self, name: str) -> Ruling:
        """Decide on a tool call by name; changes nothing."""
        owned = self._node.tool(name)
        if owned is not None:
            return Ruling(tool=owned, kind=owned.kind, in_scope=True)
        elsewhere = next((tool for node in self._blueprint.nodes if (tool := node.tool(name)) is not None), None)
        kind = elsewhere.kind if elsewhere is not None else None
        if self._scope == "observe" and elsewhere is not None:
            return Ruling(tool=elsewhere, kind=kind, in_scope=False)
        refusal = f"tool {name!r} is not available at this point of the call"
        return Ruling(tool=None, kind=kind, in_scope=False, refusal=refusal)

    def move(self, target: str) -> Node:
        """Make `target` the active node. Raises KeyError for a node that the blueprint lacks."""
        self._node = self._blueprint.by_id[target]
        return self._node
