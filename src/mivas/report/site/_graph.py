"""A pack's graph as places of boxes and arrows, for drawings a page can colour.

Unlike the picture a pack brings it needs no extra: boxes stand in columns by their distance from the entry, so no arrow
ever skips a column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from mivas.pack import Blueprint

Point: TypeAlias = tuple[float, float]

BOX_WIDTH, BOX_HEIGHT = 112, 34
COLUMN_GAP, ROW_GAP = 92, 22
MARGIN = 26
_SWEEPS = 8


def graph_of(blueprint: Blueprint) -> dict[str, Any]:
    """Boxes with their corner, arrows as SVG paths, and the size of it all, in pixels."""
    columns = _columns(blueprint)
    corners = _corners(columns)
    pairs = list(dict.fromkeys((edge.source, edge.target) for edge in blueprint.edges()))
    tools = {(edge.source, edge.target): edge.tool for edge in blueprint.edges()}
    people = {edge.source: edge.tool for edge in blueprint.human_exits()}
    column_of = {node: place for place, column in enumerate(columns) for node in column}
    return {
        "width": 2 * MARGIN + len(columns) * BOX_WIDTH + (len(columns) - 1) * COLUMN_GAP,
        "height": max(y for _, y in corners.values()) + BOX_HEIGHT + MARGIN,
        "box": [BOX_WIDTH, BOX_HEIGHT],
        "nodes": [
            {"id": node, "x": corners[node][0], "y": corners[node][1], "human": people.get(node)}
            for column in columns
            for node in column
        ],
        "edges": [
            {
                "from": source,
                "to": target,
                "tool": tools[source, target],
                "path": _path(corners, source, target, column_of),
            }
            for source, target in pairs
        ],
        "entry": blueprint.entry.id,
        "moves": {node.id: _moves(node.tools) for node in blueprint.nodes},
    }


def _moves(tools: Sequence[Any]) -> dict[str, str]:
    return {tool.name: tool.handoff_to for tool in tools if tool.handoff_to is not None}


def _columns(blueprint: Blueprint) -> list[list[str]]:
    """Nodes by their distance from the entry; what it can't reach stands last. Each column is in barycentre order."""
    depth = {blueprint.entry.id: 0}
    waiting = [blueprint.entry.id]
    edges = [(edge.source, edge.target) for edge in blueprint.edges()]
    for here in waiting:  # grows as it is walked
        for source, target in edges:
            if source == here and target not in depth:
                depth[target] = depth[here] + 1
                waiting.append(target)
    last = max(depth.values()) + 1
    columns: list[list[str]] = [[] for _ in range(last + 1)]
    for node in blueprint.nodes:
        columns[depth.get(node.id, last)].append(node.id)
    columns = [column for column in columns if column]
    for sweep in range(_SWEEPS):
        for column in columns[1:] if sweep % 2 == 0 else columns[-2::-1]:
            column.sort(key=_centre(columns, edges))
    return columns


def _centre(columns: Sequence[Sequence[str]], edges: Sequence[tuple[str, str]]) -> Any:
    seat = {node: index - (len(column) - 1) / 2 for column in columns for index, node in enumerate(column)}
    beside: dict[str, list[float]] = {}
    for source, target in edges:
        beside.setdefault(source, []).append(seat[target])
        beside.setdefault(target, []).append(seat[source])

    def centre(node: str) -> float:
        near = beside.get(node)
        return sum(near) / len(near) if near else seat[node]

    return centre


def _corners(columns: Sequence[Sequence[str]]) -> dict[str, Point]:
    tallest = max(map(len, columns))
    step = BOX_HEIGHT + ROW_GAP
    return {
        node: (
            MARGIN + across * (BOX_WIDTH + COLUMN_GAP),
            MARGIN + (tallest - len(column)) * step / 2 + down * step,
        )
        for across, column in enumerate(columns)
        for down, node in enumerate(column)
    }


def _path(corners: Mapping[str, Point], source: str, target: str, column_of: Mapping[str, int]) -> str:
    """An arrow to the next column bends from right to left side; any other bulges out beside its column."""
    (x0, y0), (x1, y1) = corners[source], corners[target]
    middle0, middle1 = y0 + BOX_HEIGHT / 2, y1 + BOX_HEIGHT / 2
    if column_of[target] > column_of[source]:
        bend = COLUMN_GAP / 2
        start, end = x0 + BOX_WIDTH, x1
        return f"M{start:g} {middle0:g}C{start + bend:g} {middle0:g} {end - bend:g} {middle1:g} {end - 5:g} {middle1:g}"
    start, end = x0 + BOX_WIDTH, x1 + BOX_WIDTH
    if column_of[target] == column_of[source]:
        bulge = 20 + 0.22 * abs(middle1 - middle0)
        low = 8 if middle1 > middle0 else -8
        return (
            f"M{start:g} {middle0 + low:g}C{start + bulge:g} {middle0 + low:g} "
            f"{end + bulge:g} {middle1 - low:g} {end + 5:g} {middle1 - low:g}"
        )
    bend = COLUMN_GAP / 2
    low0, low1 = middle0 + 8, middle1 + 8
    return f"M{x0:g} {low0:g}C{x0 - bend:g} {low0:g} {end + bend:g} {low1:g} {end + 5:g} {low1:g}"
