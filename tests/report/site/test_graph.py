"""The drawing of a pack's graph: every desk and transfer once, no desk on another."""

from __future__ import annotations

from itertools import combinations

import pytest

from mivas.pack import known_packs, load_pack
from mivas.report.site._graph import graph_of


@pytest.mark.parametrize("name", known_packs())
def test_a_packs_whole_graph_is_drawn(name: str) -> None:
    blueprint = load_pack(name).blueprint
    graph = graph_of(blueprint)
    assert {node["id"] for node in graph["nodes"]} == set(blueprint.by_id)
    assert {(edge["from"], edge["to"]) for edge in graph["edges"]} == {
        (edge.source, edge.target) for edge in blueprint.edges()
    }
    width, height = graph["box"]
    for one, other in combinations(graph["nodes"], 2):
        assert abs(one["x"] - other["x"]) >= width or abs(one["y"] - other["y"]) >= height
    for node in graph["nodes"]:
        assert 0 <= node["x"] <= graph["width"] - width
        assert 0 <= node["y"] <= graph["height"] - height


@pytest.mark.parametrize("name", known_packs())
def test_moves_lead_where_the_blueprint_leads(name: str) -> None:
    blueprint = load_pack(name).blueprint
    moves = graph_of(blueprint)["moves"]
    assert {(node, tool, to) for node, found in moves.items() for tool, to in found.items()} == {
        (edge.source, edge.tool, edge.target) for edge in blueprint.edges()
    }
