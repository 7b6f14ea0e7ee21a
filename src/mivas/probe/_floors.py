"""Floors: agents that know no answer and don't listen. What they pass, anybody passes. Source: design.md 4."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any

from mivas.errors import UnknownName
from mivas.harness import Capabilities, Desk, TextAgent
from mivas.pack import Blueprint, Pack, Task
from mivas.probe._nop import GREETING, WAITING, NopHarness
from mivas.probe._schema_values import argument_combinations, closed_values, first_arguments, first_value
from mivas.probe._stage import Stage

MOST_CALLS = 60
"""Tool calls of one call, transfers included."""
CALLS_A_TURN = 15
"""So that the most calls are made within the four turns that callers wait at least."""
Use = tuple[str, Mapping[str, Any]]
"""A tool and its arguments."""


class EscalateAgent:
    """Hands the call to a person at the first word."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def turn(self, heard: str | None) -> str:
        if heard is None:
            return GREETING
        way, tool = _nearest_person(self._desk.blueprint, self._desk.node.id)
        for hop in way:
            await self._desk.call(hop, first_arguments(self._desk.tool_schemas[hop]))
        if tool is None:
            return WAITING
        await self._desk.call(tool, first_arguments(self._desk.tool_schemas[tool]))
        return "I'm transferring you to a colleague."

    async def aclose(self) -> None:
        """Nothing to free."""


class EscalateHarness:
    """Harness of the floor that always escalates."""

    name = "escalate-always"
    revision = "1"
    capabilities = Capabilities(modes=("text",), clock="virtual")

    def answer(self, desk: Desk) -> TextAgent:
        return EscalateAgent(desk)


class ListAgent:
    """Uses tools from a list, some a turn, whatever is said."""

    def __init__(self, desk: Desk, uses: Sequence[Use]) -> None:
        self._desk = desk
        self._uses = iter(uses)

    async def turn(self, heard: str | None) -> str:
        if heard is None:
            return GREETING
        for tool, arguments in islice(self._uses, CALLS_A_TURN):
            await self._desk.call(tool, arguments)
        return WAITING

    async def aclose(self) -> None:
        """Nothing to free."""


class ReadHarness:
    """Harness of the floors that call every read tool of every desk that one call can visit.

    A read is a tool that, with the values at hand, changes nothing in the world; that is tried beforehand. Shown the
    task, because it needs the pack, and looks at neither lock nor caller.
    """

    revision = "1"
    capabilities = Capabilities(modes=("text",), clock="virtual", knows_answers=True)

    def __init__(self, name: str, *, exhaustive: bool) -> None:
        self.name = name
        self._exhaustive = exhaustive
        self._uses: dict[str, Sequence[Use]] = {}

    def answer_knowing(self, desk: Desk, task: Task, pack: Pack) -> TextAgent:  # noqa: ARG002 (it looks at the pack)
        if pack.id not in self._uses:
            with Stage(pack) as stage:
                self._uses[pack.id] = list(islice(_reads(pack, stage, self._exhaustive), MOST_CALLS))
        return ListAgent(desk, self._uses[pack.id])


class RandomAgent:
    """Uses random tools of its desk with random values of their schemas."""

    def __init__(self, desk: Desk, seed: int) -> None:
        self._desk = desk
        self._seed = seed
        self._random: random.Random | None = None
        self._count = 0

    async def turn(self, heard: str | None) -> str:
        if heard is None:
            return GREETING
        # From the caller's first words too, so that not every case gets the same tools.
        self._random = self._random or random.Random(f"{self._seed} {heard}")  # noqa: S311
        for _ in range(min(CALLS_A_TURN, MOST_CALLS - self._count)):
            self._count += 1
            tools = [tool.name for tool in self._desk.node.tools if tool.kind in ("industry", "handoff")]
            if tools:
                tool = self._random.choice(tools)
                await self._desk.call(tool, _random_arguments(self._random, self._desk.tool_schemas[tool]))
        return WAITING

    async def aclose(self) -> None:
        """Nothing to free."""


class RandomHarness:
    """Harness of the floor that writes at random. Two of one seed do the same."""

    name = "write-at-random"
    revision = "1"
    capabilities = Capabilities(modes=("text",), clock="virtual")

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def answer(self, desk: Desk) -> TextAgent:
        return RandomAgent(desk, self._seed)


FLOORS: Mapping[str, Callable[[], Any]] = MappingProxyType(
    {
        "nop": NopHarness,
        "escalate-always": EscalateHarness,
        "read-everything": lambda: ReadHarness("read-everything", exhaustive=False),
        "read-exhaustive": lambda: ReadHarness("read-exhaustive", exhaustive=True),
        "write-at-random": lambda: RandomHarness(0),
    }
)
"""The floor agents by name, each made anew."""


def write_at_random(argument: str | None) -> RandomHarness:
    """Entry point `mivas.harnesses: write-at-random`; the argument is a seed. Raises UnknownName when it isn't."""
    if argument is not None and not argument.lstrip("-").isdigit():
        raise UnknownName(f"{argument!r} is no seed", where="--harness", mend="say write-at-random:<whole number>")
    return RandomHarness(int(argument or 0))


def longest_walk(blueprint: Blueprint) -> tuple[str, ...]:
    """Transfers from the entry that visit the most nodes, each once. Ties: file order."""

    def walks(node: str, seen: frozenset[str]) -> Iterator[tuple[str, ...]]:
        yield ()
        for tool in blueprint.by_id[node].tools:
            if tool.handoff_to is not None and tool.handoff_to not in seen:
                for rest in walks(tool.handoff_to, seen | {tool.handoff_to}):
                    yield (tool.name, *rest)

    return max(walks(blueprint.entry.id, frozenset({blueprint.entry.id})), key=len)


def _reads(pack: Pack, stage: Stage, exhaustive: bool) -> Iterator[Use]:
    """The walk's transfers, and at each desk every tool call that leaves the world as it is."""
    call_id = stage.new_call()
    node = pack.blueprint.entry
    for hop in (*longest_walk(pack.blueprint), None):
        for tool in (tool.name for tool in node.tools if tool.kind == "industry"):
            schema = pack.tool_schemas[tool]
            combinations = argument_combinations(schema) if exhaustive else iter([first_arguments(schema)])
            for arguments in islice(combinations, MOST_CALLS):
                before = stage.state(call_id)
                stage.post(call_id, tool, arguments)
                if stage.state(call_id) != before:
                    call_id = stage.new_call()
                    break  # it writes; the next tool is tried on an untouched world
                yield tool, arguments
        if hop is not None:
            entry = node.tool(hop)
            yield hop, first_arguments(pack.tool_schemas[hop])
            node = pack.blueprint.by_id[entry.handoff_to] if entry and entry.handoff_to else node


def _nearest_person(blueprint: Blueprint, start: str) -> tuple[tuple[str, ...], str | None]:
    """Transfers to the nearest node that can hand the call to a person, and the tool that does."""
    found = [
        (route, tool.name)
        for node in blueprint.nodes
        for tool in node.tools
        if tool.kind == "human" and (route := blueprint.route(start, node.id)) is not None
    ]
    return min(found, key=lambda one: len(one[0]), default=((), None))


def _random_arguments(chance: random.Random, schema: Mapping[str, Any]) -> dict[str, Any]:
    required = schema.get("required", [])
    return {
        key: chance.choice(closed_values(declared) or [first_value(declared)])
        for key, declared in schema.get("properties", {}).items()
        if key in required or chance.random() < 0.5
    }
