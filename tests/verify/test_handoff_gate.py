"""H: the pointer that never moves back. Source: scoring.md 3.6."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.verify import Verdict
from mivas.verify._handoff_gate import handoff_gate

Judge = Callable[..., Verdict]
nodes = st.sampled_from(["identity", "billing", "clinical"])


@pytest.mark.parametrize(
    ("expected", "hops", "verdict", "score"),
    [
        pytest.param([], [], "exact", 1.0, id="nothing asked, nothing done"),
        pytest.param([], ["identity"], "none_required", 1.0, id="S9: nothing asked, something done"),
        pytest.param(["identity"], ["identity"], "exact", 1.0, id="the very path"),
        pytest.param(["identity"], ["identity", "identity"], "in_order_with_extras", 1.0, id="the right hop twice"),
        pytest.param(["identity", "billing"], ["billing", "identity"], "incomplete", 0.5, id="wrong order"),
        pytest.param(
            ["identity", "billing"], ["billing", "identity", "billing"], "in_order_with_extras", 1.0, id="repaired"
        ),
        pytest.param(["identity"], [], "incomplete", 0.0, id="nothing done"),
    ],
)
def test_hops_are_met_in_order_by_one_pointer(expected: list[str], hops: list[str], verdict: str, score: float) -> None:
    gate = handoff_gate(expected, hops)
    assert (gate.verdict, gate.score, gate.passed) == (verdict, score, verdict != "incomplete")


@given(path=st.lists(nodes), detours=st.lists(st.tuples(st.integers(0, 9), nodes), max_size=4))
def test_detours_never_lose_a_met_path(path: list[str], detours: list[tuple[int, str]]) -> None:
    hops = list(path)
    for at, node in detours:
        hops.insert(at, node)
    assert handoff_gate(path, hops).passed


@given(path=st.lists(nodes, min_size=1), data=st.data())
def test_a_path_without_one_of_its_hops_is_incomplete(path: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(path) - 1))
    assert not handoff_gate(path, path[:at] + path[at + 1 :]).passed


def test_only_the_packs_transfers_are_hops(judge: Judge) -> None:
    hops = [("transfer_to_human", {}, {"output": {"ok": False}}), ("end_call",), ("transfer_to_orders",)]
    assert judge("clinic", actual=hops).hops == ("transfer_to_human",)
    assert judge("shop", actual=hops).hops == ("transfer_to_orders",)


@pytest.mark.parametrize("path", [None, "transfer_to_identity", {"a": 1}, [3, None]])
def test_a_damaged_path_asks_for_nothing(judge: Judge, path: object) -> None:
    from mivas.verify._handoff_gate import expected_path

    assert expected_path(path) == []
