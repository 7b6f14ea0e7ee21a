"""Where the boxes of a small graph stand: layers from top to bottom, few crossings, arrows that bend round boxes.

The method of Sugiyama, Tagawa and Toda (1981): layer by longest path, a waypoint wherever an arrow passes a layer,
order each layer by the barycentre of its neighbours, then spread it. Deterministic.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, TypeAlias

Point: TypeAlias = tuple[float, float]
_Spot: TypeAlias = Any  # a node's name, or (source, target, layer) for a waypoint

SWEEPS, PULLS = 24, 200
BOX_GAP, WAYPOINT_GAP = 1.0, 0.62


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Positions in units of a box's width across and of a layer's height down (y falls)."""

    boxes: Mapping[str, Point]
    paths: Mapping[tuple[str, str], Sequence[Point]]
    """Each arrow's points, from the source's centre through its waypoints to the target's centre."""


def layered_layout(nodes: Sequence[str], edges: Sequence[tuple[str, str]]) -> Layout:
    """Lay out a graph whose first node stands on top. Cycles are allowed: an arrow that closes one runs upwards.

    Raises: ImportError: networkx isn't installed.
    """
    import networkx as nx  # type: ignore[import-untyped]

    graph = nx.DiGraph()
    graph.add_nodes_from(nodes)
    for source, target in edges:
        if not (source in graph and nx.has_path(graph, target, source)):
            graph.add_edge(source, target)
    depth = {node: row for row, layer in enumerate(nx.topological_generations(graph)) for node in layer}
    chains = {(source, target): _chain(source, target, depth) for source, target in graph.edges}
    rows: list[list[_Spot]] = [[node for node in nodes if depth[node] == row] for row in range(max(depth.values()) + 1)]
    for chain in chains.values():
        for step, spot in enumerate(chain[1:-1], start=1):
            rows[depth[chain[0]] + step].append(spot)
    links = [link for chain in chains.values() for link in pairwise(chain)]
    across = _spread(_ordered(rows, links), links)
    place: dict[_Spot, Point] = {spot: (across[spot], -float(row)) for row, line in enumerate(rows) for spot in line}
    return Layout(
        boxes={node: place[node] for node in nodes},
        paths={edge: [place[spot] for spot in chains.get(edge, edge)] for edge in edges},
    )


def _chain(source: str, target: str, depth: Mapping[str, int]) -> tuple[_Spot, ...]:
    waypoints = ((source, target, row) for row in range(depth[source] + 1, depth[target]))
    return (source, *waypoints, target)


def _ordered(rows: list[list[_Spot]], links: Sequence[tuple[_Spot, _Spot]]) -> list[list[_Spot]]:
    """The order of each layer with the fewest crossings met while sweeping down and up."""
    best, fewest = [list(row) for row in rows], _crossings(rows, links)
    for sweep in range(SWEEPS):
        downwards = sweep % 2 == 0
        for row in rows if downwards else reversed(rows):
            seat = {spot: index for line in rows for index, spot in enumerate(line)}
            centre = {
                spot: _mean([seat[a if downwards else b] for a, b in links if (b if downwards else a) == spot])
                for spot in row
            }
            row.sort(key=lambda spot, seat=seat, centre=centre: seat[spot] if centre[spot] is None else centre[spot])  # type: ignore[misc]
        if (crossings := _crossings(rows, links)) < fewest:
            best, fewest = [list(row) for row in rows], crossings
    return best


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _crossings(rows: Iterable[Sequence[_Spot]], links: Sequence[tuple[_Spot, _Spot]]) -> int:
    seat = {spot: (row, index) for row, line in enumerate(rows) for index, spot in enumerate(line)}
    return sum(
        seat[a][0] == seat[c][0] and (seat[a][1] - seat[c][1]) * (seat[b][1] - seat[d][1]) < 0
        for (a, b), (c, d) in combinations(links, 2)
    )


def _spread(rows: Sequence[Sequence[_Spot]], links: Sequence[tuple[_Spot, _Spot]]) -> dict[_Spot, float]:
    """Pull every spot to the mean of its neighbours, keeping order and distance within each layer."""
    across: dict[_Spot, float] = {}
    for row in rows:
        offsets = _offsets(row)
        across |= {spot: offset - offsets[-1] / 2 for spot, offset in zip(row, offsets, strict=True)}
    for pull in range(PULLS):
        for row in rows if pull % 2 == 0 else reversed(rows):
            wanted = [_mean([across[b if a == spot else a] for a, b in links if spot in (a, b)]) for spot in row]
            targets = [across[spot] if want is None else want for spot, want in zip(row, wanted, strict=True)]
            across |= dict(zip(row, _apart(targets, _offsets(row)), strict=True))
    return across


def _offsets(row: Sequence[_Spot]) -> list[float]:
    """Smallest distance of each spot from the first of its layer."""
    half = [BOX_GAP if isinstance(spot, str) else WAYPOINT_GAP for spot in row]
    offsets = [0.0]
    for left, right in pairwise(half):
        offsets.append(offsets[-1] + (left + right) / 2)
    return offsets


def _apart(targets: Sequence[float], offsets: Sequence[float]) -> list[float]:
    """Positions closest to the targets (least squares) that keep the distances: pool adjacent violators."""
    pools: list[tuple[float, int]] = []
    for target, offset in zip(targets, offsets, strict=True):
        mean, count = target - offset, 1
        while pools and pools[-1][0] > mean:
            before, size = pools.pop()
            mean, count = (before * size + mean * count) / (size + count), size + count
        pools.append((mean, count))
    flat = [mean for mean, count in pools for _ in range(count)]
    return [mean + offset for mean, offset in zip(flat, offsets, strict=True)]
