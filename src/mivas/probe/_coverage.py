"""What a suite's correct plans touch of their pack, and what no case ever does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from mivas.pack import Pack, Suite, memory_database
from mivas.probe._error_codes import error_codes
from mivas.probe._oracle import correct_steps
from mivas.probe._rehearsal import Rehearsal, RehearsedStep, rehearse
from mivas.probe._schema_values import closed_values
from mivas.probe._stage import Stage

KINDS = ("tools", "arguments", "enums", "policy_rows", "edges", "error_codes", "refusals")
"""What is counted, in the order of a report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered:
    """One kind of thing: what of it a suite touches."""

    touched: frozenset[str]
    all: tuple[str, ...]
    """Everything the pack has, in its own order."""

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(name for name in self.all if name not in self.touched)

    @property
    def count(self) -> tuple[int, int]:
        """Touched, and all."""
        return len(self.all) - len(self.missing), len(self.all)


Coverage = Mapping[str, Covered]
"""By kind: tools · arguments (tool.argument) · enums (tool.argument=value) · policy_rows (table/key, of tables that
scoring doesn't compare) · edges (node tool) · error_codes · refusals (tool, any code)."""
Touched = Mapping[str, frozenset[str]]
"""By kind, what one case touches."""


class CoverageSheet:
    """Everything a pack has that a case can touch."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack
        self._rows = _policy_rows(pack)

    def touched(self, rehearsal: Rehearsal) -> Touched:
        """What the steps of one rehearsed case touch."""
        pack, steps = self._pack, [step for step in rehearsal.steps if step.tool is not None]
        found: dict[str, Iterable[str]] = {
            "tools": (str(step.tool) for step in steps),
            "arguments": (f"{step.tool}.{key}" for step in steps for key in step.arguments),
            "enums": (name for step in steps for name in _sent_values(pack, step)),
            "policy_rows": _read_rows(self._rows, steps),
            "edges": (f"{step.node} {step.tool}" for step in steps),
            "error_codes": (str(code) for step in steps if (code := _code(pack, step)) is not None),
            "refusals": (str(step.tool) for step in steps if step.output.get(pack.envelope.ok) is False),
        }
        return {kind: frozenset(found[kind]) for kind in KINDS}

    def covered(self, cases: Iterable[Touched]) -> Coverage:
        """What cases touch together, against all there is."""
        pack, cases = self._pack, list(cases)
        edges = [*pack.blueprint.edges(), *pack.blueprint.human_exits()]
        everything: dict[str, Iterable[str]] = {
            "tools": pack.tools,
            "arguments": (f"{tool}.{key}" for tool in pack.tools for key in _properties(pack, tool)),
            "enums": _declared_values(pack),
            "policy_rows": self._rows,
            "edges": (f"{edge.source} {edge.tool}" for edge in edges),
            "error_codes": sorted(error_codes(pack.folder)),
            "refusals": (tool for tool in pack.tools if tool in pack.posted_tools),
        }
        return MappingProxyType(
            {
                kind: Covered(touched=frozenset().union(*(case[kind] for case in cases)), all=tuple(everything[kind]))
                for kind in KINDS
            }
        )


def coverage_of(pack: Pack, suite: Suite) -> Coverage:
    """Rehearse every case and say what they touch together. Raises StateError."""
    sheet = CoverageSheet(pack)
    with Stage(pack) as stage:
        return sheet.covered(
            sheet.touched(rehearse(pack, task, correct_steps(pack, task), stage)) for task in suite.tasks.values()
        )


def draw_coverage(covered: Coverage, title: str) -> Any:
    """A matplotlib figure, one bar a kind: touched against all. Raises ImportError without matplotlib."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 0.5 * len(covered) + 1.2), layout="constrained")
    axes = figure.subplots()
    kinds = list(covered)[::-1]
    shares = [n / m if m else 0.0 for n, m in (covered[kind].count for kind in kinds)]
    axes.barh(kinds, [1.0] * len(kinds), color="#d9d9d9")
    axes.barh(kinds, shares, color="#2b6cb0")
    for place, kind in enumerate(kinds):
        n, m = covered[kind].count
        axes.text(1.02, place, f"{n} of {m}", va="center")
    axes.set(xlim=(0, 1.2), xticks=(0, 0.5, 1), xticklabels=("0 %", "50 %", "100 %"), title=title)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def _properties(pack: Pack, tool: str) -> Mapping[str, Any]:
    properties: Mapping[str, Any] = pack.tool_schemas[tool].get("properties", {})
    return properties


def _declared_values(pack: Pack) -> Iterator[str]:
    for tool in pack.tools:
        for key, schema in _properties(pack, tool).items():
            for value in closed_values(schema):
                yield f"{tool}.{key}={_scalar(value)}"


def _sent_values(pack: Pack, step: RehearsedStep) -> Iterator[str]:
    """What was sent for arguments with a closed list, by the canonical name where the pack knows aliases."""
    tool = str(step.tool)
    if tool not in pack.tools:
        return
    for key, value in step.arguments.items():
        declared = {_scalar(one) for one in closed_values(_properties(pack, tool).get(key, {}))}
        for item in value if isinstance(value, list) else [value]:
            names = {_scalar(item), *_canonical(pack, item)} & declared
            yield from (f"{tool}.{key}={name}" for name in names)


def _canonical(pack: Pack, value: Any) -> Iterator[str]:
    for table in pack.scoring.aliases:
        canonical = pack.scoring.canonical(table, value)
        if canonical is not None:
            yield canonical


def _scalar(value: Any) -> str:
    return str(value[0]) if isinstance(value, list) else str(value)


def _code(pack: Pack, step: RehearsedStep) -> Any:
    return step.output.get(pack.envelope.error_code) if pack.envelope.error_code is not None else None


def _policy_rows(pack: Pack) -> dict[str, frozenset[str]]:
    """`table/key` -> the texts of its key, for each seeded row of a table that scoring doesn't compare."""
    rows: dict[str, frozenset[str]] = {}
    with closing(memory_database(pack)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        for (table,) in tables:
            if table in pack.scoring.tables or table.startswith("sqlite_"):
                continue
            columns = connection.execute("SELECT name, pk FROM pragma_table_info(?)", (table,)).fetchall()
            keys = [name for name, place in columns if place] or [name for name, _ in columns[:1]]
            chosen = ", ".join(f'"{key}"' for key in keys)
            for row in connection.execute(f'SELECT {chosen} FROM "{table}"'):  # noqa: S608 (names of the schema)
                texts = [str(value) for value in row]
                rows[f"{table}/{' '.join(texts)}"] = frozenset(text.casefold() for text in texts)
    return rows


def _read_rows(rows: Mapping[str, frozenset[str]], steps: Sequence[RehearsedStep]) -> Iterator[str]:
    """Rows whose whole key stands in what one call sent and got."""
    for step in steps:
        texts = frozenset(_texts([step.arguments, step.output]))
        yield from (name for name, key in rows.items() if key <= texts)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)
    elif value is not None:
        yield str(value).casefold()
