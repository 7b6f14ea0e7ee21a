"""The graph runtime decides legality and scope. Source: runtime.md 6, failure modes 26, 27, 34."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.harness import GraphRuntime
from mivas.pack import Blueprint, Node, NodeTool


@st.composite
def blueprints(draw: st.DrawFn) -> Blueprint:
    """Any graph of 1-5 nodes, cycles, loops and shared tool names included."""
    ids = [f"n{number}" for number in range(draw(st.integers(1, 5)))]
    moves = st.builds(lambda to: NodeTool(name=f"to_{to}", kind="handoff", handoff_to=to), st.sampled_from(ids))
    others = st.sampled_from(
        [
            NodeTool(name="look", kind="industry"),
            NodeTool(name="book", kind="industry"),
            NodeTool(name="fetch_person", kind="human"),
            NodeTool(name="end_call", kind="end_call"),
        ]
    )
    nodes = [
        Node(
            id=id, instructions="", tools=tuple(draw(st.lists(moves | others, max_size=5, unique_by=lambda t: t.name)))
        )
        for id in ids
    ]
    return Blueprint(greeting=None, nodes=tuple(nodes))


NAMES = st.sampled_from([f"to_n{number}" for number in range(6)] + ["look", "book", "fetch_person", "end_call", "?"])


@given(blueprint=blueprints(), names=st.lists(NAMES, max_size=20))
def test_the_active_node_is_always_reached_over_legal_transfers(blueprint: Blueprint, names: list[str]) -> None:
    legal = {(edge.source, edge.tool, edge.target) for edge in blueprint.edges()}
    graph = GraphRuntime(blueprint)
    for name in names:
        before, ruling = graph.node.id, graph.rule(name)
        assert (ruling.tool is not None) == ruling.in_scope == (graph.node.tool(name) is not None)
        assert (ruling.refusal is None) == (ruling.tool is not None)
        if ruling.tool is not None and ruling.tool.handoff_to is not None:
            graph.move(ruling.tool.handoff_to)
            assert (before, name, graph.node.id) in legal
        else:
            assert graph.node.id == before


@given(blueprint=blueprints(), names=st.lists(NAMES, max_size=10))
def test_ruling_changes_nothing(blueprint: Blueprint, names: list[str]) -> None:
    graph = GraphRuntime(blueprint)
    assert [graph.rule(name) for name in names] == [graph.rule(name) for name in names]
    assert graph.node is blueprint.entry


@given(blueprint=blueprints(), name=NAMES)
def test_observing_lets_through_exactly_what_some_node_owns(blueprint: Blueprint, name: str) -> None:
    ruling = GraphRuntime(blueprint, "observe").rule(name)
    owned_somewhere = any(node.tool(name) for node in blueprint.nodes)
    assert (ruling.tool is not None) == owned_somewhere
    assert ruling.in_scope == (blueprint.entry.tool(name) is not None)


@given(blueprint=blueprints(), name=NAMES)
def test_both_scopes_name_the_same_kind(blueprint: Blueprint, name: str) -> None:
    assert GraphRuntime(blueprint).rule(name).kind == GraphRuntime(blueprint, "observe").rule(name).kind


def test_the_first_node_answers(blueprint: Blueprint) -> None:
    assert GraphRuntime(blueprint).node.id == "desk"


def test_a_refusal_tells_the_model_no_other_tool(blueprint: Blueprint) -> None:
    ruling = GraphRuntime(blueprint).rule("look_up")
    assert (ruling.tool, ruling.kind, ruling.in_scope) == (None, "industry", False)
    assert ruling.refusal == "tool 'look_up' is not available at this point of the call"


def test_a_stale_transfer_is_refused_after_it_was_taken(blueprint: Blueprint) -> None:
    graph = GraphRuntime(blueprint)
    graph.move("orders")
    assert graph.rule("to_orders").tool is None


def test_a_cycle_can_be_walked_as_long_as_one_likes(blueprint: Blueprint) -> None:
    graph = GraphRuntime(blueprint)
    graph.move("orders")
    for name in ("to_returns", "back_to_orders") * 50:
        ruling = graph.rule(name)
        assert ruling.tool is not None
        assert ruling.tool.handoff_to is not None
        graph.move(ruling.tool.handoff_to)
    assert graph.node.id == "orders"


def test_moving_to_a_node_the_graph_lacks_raises(blueprint: Blueprint) -> None:
    with pytest.raises(KeyError):
        GraphRuntime(blueprint).move("nowhere")
