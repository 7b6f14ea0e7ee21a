"""A world as data: one pack folder, read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from mivas.pack._blueprint import Blueprint
from mivas.pack._completion import NOTHING, CompletionFile
from mivas.pack._scoring import Scoring


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueTool:
    """One tool of the pack's catalogue as an agent is told about it."""

    name: str
    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """Names of the fields every tool answer carries (formats.md 1, decision 0002)."""

    ok: str
    message: str
    data: str | None
    error_code: str | None


def refresh_command(folder: Path, module: str | None, pack_id: str) -> str:
    """The command that writes a pack's generated files anew."""
    return f"mivas packs graph {folder if module is None else pack_id} --write"


@dataclass(frozen=True, kw_only=True)
class Pack:
    """One industry: graph, prompts, tool catalogue, scoring rules, database."""

    id: str
    title: str
    version: str
    clock: datetime | None
    """Pinned local "now" of the pack's world, or None."""
    envelope: Envelope
    human_tools: frozenset[str]
    """Session tools that the state service answers too."""
    hidden_tables: frozenset[str] = frozenset()
    """Tables that `/state` leaves out: reference data that no tool writes."""
    suite: str
    canary: str
    folder: Path
    module: str | None
    """Importable module of the pack, or None for a pack given by its path."""
    blueprint: Blueprint
    tools: Mapping[str, CatalogueTool]
    """By name, in catalogue order."""
    scoring: Scoring
    schema_sql: str
    seed_sql: str
    completion: CompletionFile = NOTHING
    """What a replay adds to a lock's calls."""

    @property
    def refresh_command(self) -> str:
        """The command that writes this pack's generated files anew."""
        return refresh_command(self.folder, self.module, self.id)

    @cached_property
    def tool_schemas(self) -> Mapping[str, Mapping[str, Any]]:
        """inputSchema of each tool, by name."""
        return {name: tool.input_schema for name, tool in self.tools.items()}

    @cached_property
    def posted_tools(self) -> frozenset[str]:
        """Names the state service must answer: industry and human-transfer tools of any node."""
        kinds = {tool.name: tool.kind for node in self.blueprint.nodes for tool in node.tools}
        return frozenset(name for name, kind in kinds.items() if kind in ("industry", "human"))
