"""The walk planned for a task without a solution. Source: design.md 4, Offline agents."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.pack import Blueprint, Node, NodeTool
from mivas.pack import steps as kinds
from mivas.probe import planned_steps
from mivas.probe._walk import MOST_LEGS


def names(steps: list[kinds.Step]) -> list[str]:
    """What a walk does, sentences left out."""
    return [
        step.call if isinstance(step, kinds.CallStep) else step.handoff if isinstance(step, kinds.HandoffStep)
        else step.end for step in steps if not isinstance(step, kinds.SayStep | kinds.HearStep)
    ]  # fmt: skip


LINE = {"front": [">a", ">b", "."], "a": ["look", "book", ">b"], "b": ["pay", "look", "!"]}
CYCLE = {"front": [">a"], "a": ["look", ">b"], "b": ["pay", ">a", "."]}


@pytest.mark.parametrize(
    ("nodes", "calls", "path", "walk"),
    [
        pytest.param(LINE, [], [], [], id="nothing asked"),
        pytest.param(LINE, ["to_a", "look", "book"], ["to_a"], ["to_a", "look", "book"], id="along the path"),
        pytest.param(LINE, ["book", "look"], ["to_a"], ["to_a", "book", "look"], id="in listed order"),
        pytest.param(LINE, ["look", "look"], ["to_a"], ["to_a", "look", "look"], id="a repeated call"),
        pytest.param(LINE, [], ["to_a", "to_b"], ["to_a", "to_b"], id="hops that no call lists"),
        pytest.param(LINE, ["pay", "look"], ["to_a", "to_b"], ["to_a", "look", "to_b", "pay"], id="each at its node"),
        pytest.param(LINE, ["pay"], [], ["to_b", "pay"], id="off the path: the shortest legal route"),
        pytest.param({"front": [">b", ">c"], "b": [">d"], "c": ["pay"], "d": ["pay"]}, ["pay"], [], ["to_c", "pay"],
                     id="off the path: the nearest owner"),
        pytest.param({"front": [">b", ">c"], "b": ["x"], "c": [">b", "pay", ">d"], "d": ["pay"]}, ["x"], [],
                     ["to_b", "x"], id="off the path: the shortest of two ways"),
        pytest.param(LINE, ["book", "pay"], ["to_b"], ["to_b", "pay"], id="no way back: what can't be reached is left"),
        pytest.param(LINE, ["fetch_person", "pay"], ["to_b"], ["to_b", "pay", "fetch_person"], id="a person last"),
        pytest.param(LINE, ["fetch_person"], [], ["to_b", "fetch_person"], id="a detour to a person"),
        pytest.param(LINE, ["end_call", "pay"], [], ["to_b", "pay"], id="no way back to hang up"),
        pytest.param(LINE, ["no_such_tool", "pay"], [], ["to_b", "pay"], id="a tool the graph lacks"),
        pytest.param(LINE, ["look"], ["to_nowhere"], ["to_a", "look"], id="a hop the graph lacks"),
        pytest.param(
            CYCLE, ["pay", "look", "end_call"], ["to_a", "to_b", "to_a"],
            ["to_a", "look", "to_b", "pay", "to_a", "to_b", "end_call"], id="round a cycle",
        ),
        pytest.param({"front": [".", ">a"], "a": ["!"]}, ["fetch_person", "end_call"], [], ["to_a", "fetch_person"],
                     id="two endings at two nodes: the first is made"),
        pytest.param({"front": ["!"]}, ["fetch_person", "fetch_person"], [], ["fetch_person"], id="one ending"),
    ],
)  # fmt: skip
def test_walks(make_graph: Any, make_task: Any, nodes: Any, calls: Any, path: Any, walk: Any) -> None:
    assert names(planned_steps(make_graph(**nodes), make_task(calls, path))) == walk


def test_arguments_travel_with_their_call_and_their_hop(make_graph: Any, make_task: Any) -> None:
    calls = [{"name": "to_a", "parameters": {"next": "x"}}, {"name": "look", "parameters": {"q": 1}}]
    hop, call, _ = planned_steps(make_graph(**LINE), make_task(calls, ["to_a"]))
    assert isinstance(hop, kinds.HandoffStep)
    assert isinstance(call, kinds.CallStep)
    assert (hop.arguments, call.arguments) == ({"next": "x"}, {"q": 1})


def test_of_alternatives_the_first_is_sent(make_graph: Any, make_task: Any) -> None:
    either = {"any_of": ["first", "second"]}
    calls = [{"name": "look", "parameters": {"a": either, "b": [either, 2], "c": {"d": either}}}]
    _, call, _ = planned_steps(make_graph(**LINE), make_task(calls, ["to_a"]))
    assert isinstance(call, kinds.CallStep)
    assert call.arguments == {"a": "first", "b": ["first", 2], "c": {"d": "first"}}


@st.composite
def graphs(draw: st.DrawFn) -> Blueprint:
    ids = [f"n{number}" for number in range(draw(st.integers(1, 5)))]
    tool = st.sampled_from(ids).map(lambda to: NodeTool(name=f"to_{to}", kind="handoff", handoff_to=to)) | (
        st.sampled_from(["look", "book", "pay"]).map(lambda name: NodeTool(name=name, kind="industry"))
        | st.just(NodeTool(name="fetch_person", kind="human"))
        | st.just(NodeTool(name="end_call", kind="end_call"))
    )
    return Blueprint(
        greeting=None,
        nodes=tuple(
            Node(id=id, instructions="", tools=tuple(draw(st.lists(tool, max_size=5, unique_by=lambda t: t.name))))
            for id in ids
        ),
    )


TOOLS = st.sampled_from(["look", "book", "pay", "fetch_person", "end_call", "?"])
HOPS = st.sampled_from([f"to_n{number}" for number in range(6)])


@given(blueprint=graphs(), calls=st.lists(TOOLS | HOPS, max_size=8), path=st.lists(HOPS, max_size=5))
def test_every_walk_is_legal_ends_once_and_is_finite(
    make_task: Any, blueprint: Blueprint, calls: list[str], path: list[str]
) -> None:
    walk = names(planned_steps(blueprint, make_task(calls, path)))
    node = blueprint.entry
    for position, name in enumerate(walk):
        tool = node.tool(name)
        assert tool is not None, f"{name} at {node.id}"
        assert tool.kind in ("industry", "handoff") or position == len(walk) - 1
        node = blueprint.by_id[tool.handoff_to] if tool.handoff_to else node
    assert sum(name.startswith("to_") for name in walk) <= MOST_LEGS * len(blueprint.nodes)


@given(blueprint=graphs(), calls=st.lists(TOOLS, max_size=6))
def test_a_call_is_made_as_often_as_it_is_expected_and_no_more(
    make_task: Any, blueprint: Blueprint, calls: list[str]
) -> None:
    walk = names(planned_steps(blueprint, make_task(calls)))
    for name in ("look", "book", "pay"):
        assert walk.count(name) in (0, calls.count(name))
