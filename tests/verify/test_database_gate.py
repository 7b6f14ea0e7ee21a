"""D: comparing dumps. Source: scoring.md 3.7."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.pack._scoring import ScoringFile, compile_scoring
from mivas.verify import Verdict
from mivas.verify._database_gate import database_gate

Judge = Callable[..., Verdict]


def passes(judge: Judge, pack: Any, table: str, locked: Any, dumped: Any) -> bool:
    verdict = judge(pack, locked={table: locked}, state={table: dumped})
    assert verdict.database.passed is not None
    return verdict.database.passed


@pytest.mark.parametrize(
    ("locked", "dumped", "same"),
    [
        pytest.param([{"id": 1}], [{"id": 1, "created_at": "now", "description": "x"}], True, id="dropped columns"),
        pytest.param([{"id": 1}, {"id": 2}], [{"id": 2}, {"id": 1}], True, id="any row order"),
        pytest.param([{"id": 1}], [{"id": 1}, {"id": 1}], False, id="repeats are counted"),
        pytest.param([{"id": 1}], [{"id": 1, "x": None}], False, id="null is not absent"),
        pytest.param([{"id": 1}], [{"id": "1"}], False, id="text is no number"),
        pytest.param([{"id": 1}], [{"id": 1.0}], True, id="numbers by value"),
        pytest.param([{"id": 1}], [{"id": True}], True, id="one is true, kept on purpose"),
        pytest.param([{"a": "Cigna"}], [{"a": " cigna"}], True, id="texts folded"),
        pytest.param([{"phone_e164": "+12125550100"}], [{"phone_e164": "212-555-0100"}], True, id="phones by digits"),
        pytest.param([{"callback_number": "+12125550100"}], [{"callback_number": "2125550100"}], False, id="by name"),
        pytest.param([{"s": "2026-08-24T09:00"}], [{"s": "2026-08-24 09:00:30Z"}], True, id="date-times to the minute"),
        pytest.param([{"s": "2026-08-24T00:00"}], [{"s": "2026-08-24"}], False, id="a date isn't midnight here"),
        pytest.param([{"a": ["X"]}], [{"a": ["x"]}], False, id="nested values untouched"),
        pytest.param([{"a": ["X"], "c": "b"}], [{"c": "B", "a": ["X"]}], True, id="nested values compared"),
        pytest.param([], None, True, id="null is an empty table"),
        pytest.param([], {"a": 1}, True, id="what is no list is empty"),
        pytest.param([{"a": 1}], [], False, id="a row is lacking"),
        pytest.param([3], [3], True, id="rows that are no objects"),
    ],
)
def test_exact_tables_are_multisets(judge: Judge, locked: Any, dumped: Any, same: bool) -> None:
    assert passes(judge, "clinic", "appointments", locked, dumped) is same


@pytest.mark.parametrize(
    ("locked", "dumped", "same"),
    [
        pytest.param([], [{"id": 1}], False, id="expected empty must stay empty"),
        pytest.param([{"id": 1, "a": "x"}], [{"id": 9, "a": "X"}, {"a": "y"}], True, id="extra rows are free"),
        pytest.param([{"a": "x"}], [{"a": "y"}], False, id="an expected row is lacking"),
        pytest.param([{"a": "x"}, {"a": "x"}], [{"a": "x"}], True, id="a set, so once is enough"),
    ],
)
def test_subset_tables(judge: Judge, locked: Any, dumped: Any, same: bool) -> None:
    assert passes(judge, "clinic", "waitlist", locked, dumped) is same


@pytest.mark.parametrize(
    ("locked", "dumped", "same"),
    [
        pytest.param([], [{"for_whom": "x"}], True, id="extra rows are free"),
        pytest.param([{"for_whom": "Daniel Okonkwo"}], [{"for_whom": "Daniel Oconquo"}], True, id="S2: fuzzy here too"),
        pytest.param([{"for_whom": "new cases intake"}], [{"for_whom": "New cases"}], False, id="S2: a word less"),
        pytest.param([{"for_whom": "", "x": None}], [{"for_whom": "anyone"}], True, id="blanks are wild"),
        pytest.param([{"for_whom": ""}], [], False, id="a wild row still needs a row"),
        pytest.param([{"a": 0}], [{"a": 1}], False, id="zero is a constraint"),
        pytest.param([{"a": 1}], [{"a": None}], False, id="null meets no constraint"),
        pytest.param([{"a": 1}], [{"b": 1}], False, id="nor does a column that isn't there"),
        pytest.param([{"a": 1}, {"b": 2}], [{"a": 1, "b": 2}], True, id="one row may cover several"),
        pytest.param([{"summary": "x", "a": 1}], [{"summary": "y", "a": 1}], True, id="dropped columns"),
        pytest.param([{"state": "CA"}], [{"state": "California"}], False, id="a tool's alias isn't a column's"),
        pytest.param([{"practice_area": "auto_accident"}], [{"practice_area": "car accident"}], True, id="S13: alias"),
        pytest.param([{"a": {"any_of": ["x", "y"]}}], [{"a": "Y"}], True, id="S4: any of"),
    ],
)
def test_covered_tables(judge: Judge, locked: Any, dumped: Any, same: bool) -> None:
    assert passes(judge, "law firm", "messages", locked, dumped) is same


@pytest.mark.parametrize(
    ("locked", "dumped", "same"),
    [
        pytest.param([], [{"id": 1}], False, id="an extra row fails"),
        pytest.param([{"id": 1, "state": "CA"}], [{"id": 1, "state": "ca", "more": 1}], True, id="covered"),
        pytest.param([{"a": 1}, {"a": 1}], [{"a": 1, "id": 1}], False, id="one row covers one"),
        pytest.param([{"a": 1}, {"b": 2}], [{"a": 1, "b": 3}, {"a": 4, "b": 2}], True, id="paired off"),
    ],
)
def test_counted_tables(judge: Judge, locked: Any, dumped: Any, same: bool) -> None:
    assert passes(judge, "law firm", "intakes", locked, dumped) is same


@pytest.mark.parametrize(
    ("table", "locked", "dumped", "same"),
    [
        pytest.param("rmas", {"reason": "a", "id": 1}, {"reason": "b", "id": 1}, True, id="S6: reason ignored"),
        pytest.param("holds", {"payload": '{"reason": "a", "n": 1}'}, {"payload": '{"n": 1}'}, True, id="S6: in JSON"),
        pytest.param("holds", {"payload": '{"n": " X"}'}, {"payload": '{"n":"x"}'}, True, id="JSON by structure"),
        pytest.param("holds", {"payload": '{"n": 1}'}, {"payload": '{"n": 2}'}, False, id="JSON differs"),
        pytest.param("holds", {"payload": "{no"}, {"payload": "{NO "}, True, id="no JSON, ordinary text"),
        pytest.param("holds", {"payload": "[1]"}, {"payload": "[1]"}, True, id="JSON that is no object"),
        pytest.param("holds", {"reason": "a"}, {"reason": "b"}, False, id="other columns stay exact"),
    ],
)
def test_json_columns(judge: Judge, table: str, locked: Any, dumped: Any, same: bool) -> None:
    assert passes(judge, "shop", table, [locked], [dumped]) is same


def test_only_the_packs_tables_are_compared(judge: Judge) -> None:
    assert judge("clinic", locked={}, state={"tool_events": [{"id": 1}]}).database.passed is True


@pytest.mark.parametrize("state", [{}, [], "x", 3, False])
def test_a_dump_that_is_no_object_has_empty_tables(judge: Judge, state: Any) -> None:
    assert judge("clinic", locked={"patients": []}, state=state).database.passed is True
    assert judge("clinic", locked={"patients": [{"id": 1}]}, state=state).database.passed is False


def test_a_diff_lists_failing_tables_only_in_canonical_form(judge: Judge) -> None:
    locked = {"patients": [{"id": "A", "x": 1}, {"id": "b"}], "waitlist": [{"id": 1, "a": "x"}]}
    state = {"patients": [{"id": "b"}, {"id": "a", "x": 2}], "waitlist": [{"a": "x"}, {"a": "y"}]}
    diff = judge("clinic", locked=locked, state=state).database.diff
    assert diff is not None
    assert list(diff) == ["patients"]
    found = diff["patients"]
    assert (found.expected_count, found.actual_count) == (2, 2)
    assert found.only_in_expected == ({"id": "a", "x": 1},)
    assert found.only_in_actual == ({"id": "a", "x": 2},)


ROWS = st.lists(
    st.fixed_dictionaries({"id": st.integers(0, 3), "a": st.sampled_from(["x", "X ", "y", ""])}), max_size=5
)
RULES = ("exact", "subset_or_empty", "constrained_count", "constrained_cover")


@pytest.mark.parametrize("rule", RULES)
@given(locked=ROWS, dumped=ROWS, data=st.data())
def test_the_order_of_rows_never_matters(rule: Any, locked: Any, dumped: Any, data: st.DataObject) -> None:
    scoring = compile_scoring(ScoringFile(version=1, tables={"t": {"rule": rule}}))
    shuffled = {"t": data.draw(st.permutations(dumped))}
    task = {"exp_db_state": {"t": locked}}
    other = {"exp_db_state": {"t": data.draw(st.permutations(locked))}}
    assert database_gate(task, {"t": dumped}, scoring) == database_gate(other, shuffled, scoring)


@pytest.mark.parametrize("rule", RULES)
@given(rows=ROWS)
def test_every_state_meets_itself(rule: Any, rows: Any) -> None:
    scoring = compile_scoring(ScoringFile(version=1, tables={"t": {"rule": rule}}))
    gate = database_gate({"exp_db_state": {"t": rows}}, {"t": [dict(row) for row in rows]}, scoring)
    assert gate.passed or rule == "constrained_count"  # greedy: a wild row may take another's row


@pytest.mark.parametrize(
    ("pack", "table", "locked", "dumped", "same"),
    [
        pytest.param("healthcare", "patients", [{"id": 1}], [{"id": 2}], False, id="a patient's id counts"),
        pytest.param("healthcare", "appointments", [{"id": 1}], [{"id": 1}, {"id": 2}], False, id="one visit too many"),
        pytest.param("healthcare", "waitlist", [{"id": 1, "a": 1}], [{"id": 9, "a": 1}], True, id="a place's id"),
        pytest.param("healthcare", "waitlist", [{"a": 1}], [{"a": 1}, {"a": 2}], True, id="more places are free"),
        pytest.param("healthcare", "waitlist", [], [{"a": 1}], False, id="but none where none is expected"),
        *(
            pytest.param("legal", table, [], [{"id": 1}], False, id=f"{table} are counted")
            for table in ("intakes", "escalations")
        ),
        *(
            pytest.param("legal", table, [{"id": 1}], [{"id": 1}, {"id": 2}], True, id=f"more {table} are free")
            for table in ("intake_notes", "documents", "holds", "evaluations", "messages")
        ),
        *(
            pytest.param("legal", "messages", [{column: "a", "id": 1}], [{column: "b", "id": 1}], True, id=column)
            for column in ("created_at", "message", "summary", "note", "slot_id", "starts_at", "attorney_id",
                           "caller_id", "reason")
        ),
        *(
            pytest.param("customer-support", table, [], [{"id": 1}], False, id=f"no {table} unless expected")
            for table in ("customers", "orders", "order_items", "order_cancellations", "delivery_changes",
                          "membership_changes", "holds", "refunds", "rmas", "return_labels", "price_matches",
                          "protection_plans", "service_appointments", "escalations", "scam_reports")
        ),
        pytest.param("customer-support", "escalations", [{"reason": "a"}], [{"reason": "b"}], False, id="rmas only"),
    ],
)  # fmt: skip
def test_the_tables_of_each_pack(judge: Judge, pack: str, table: str, locked: Any, dumped: Any, same: bool) -> None:
    assert passes(judge, pack, table, locked, dumped) is same


@pytest.mark.parametrize(
    ("pack", "hops"),
    [
        ("healthcare", ("identity", "scheduling", "coverage", "cosmetic", "billing", "clinical", "human")),
        ("legal", ("screening", "intake", "scheduling", "client_services")),
        ("customer-support", ("verification", "orders", "returns", "service", "membership", "fraud")),
    ],
)
def test_the_transfers_of_each_pack(judge: Judge, pack: str, hops: tuple[str, ...]) -> None:
    names = [f"transfer_to_{hop}" for hop in hops]
    made = [(name,) for name in (*names, "end_call", "escalate_to_human", "transfer_to_nowhere")]
    assert judge(pack, actual=made).hops == tuple(names)
