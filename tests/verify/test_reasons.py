"""What a failed gate says, and the remarks that move no mark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mivas.verify import Verdict

Judge = Callable[..., Verdict]


def only(verdict: Verdict) -> tuple[str, str, str]:
    (reason,) = verdict.reasons
    return reason.gate, reason.code, reason.text


@pytest.mark.parametrize(
    ("expected", "actual", "code", "text"),
    [
        pytest.param(["verify_identity"], [], "not_called", "verify_identity was never called", id="never called"),
        pytest.param(["a", "a"], [("a",)], "too_few_calls", "a was called once, expected twice", id="too few"),
        pytest.param(
            [("check", {"location_id": "loc_park_ave"})],
            [("check", {"location_id": "loc_windermere"})],
            "argument_differs",
            "check: location_id was loc_windermere, expected loc_park_ave",
            id="another value",
        ),
        pytest.param(
            [("check", {"a": 1, "b": 2, "c": 3})],
            [("check", {"a": 9, "b": 9, "c": 9}), ("check", {"a": 1, "b": 2, "c": 4})],
            "argument_differs",
            "check: c was 4, expected 3",
            id="the nearest call is shown",
        ),
        pytest.param(
            [("check", {"a": {"any_of": ["x", "y"]}})],
            [("check", {"b": 1})],
            "argument_missing",
            "check: a was not given, expected x or y",
            id="not given",
        ),
        pytest.param(
            [("check", {"notes": "x", "a": 1})],
            [("check", {"notes": " ", "a": 1})],
            "argument_blank",
            "check: notes was blank",
            id="blank",
        ),
        pytest.param(
            [("check", {"a": 1}, {"output": {"ok": True}})],
            [("check", {"a": 1}, {"output": {"ok": False}})],
            "outcome_differs",
            "check: answered ok false, expected true",
            id="refused",
        ),
        pytest.param(
            [], [("send_sms",), ("send_sms",)], "forbidden_call", "send_sms was called twice, and this task forbids it",
            id="forbidden",
        ),
    ],
)  # fmt: skip
def test_a_failed_tool_gate_names_the_call_and_the_argument(
    judge: Judge, expected: Any, actual: Any, code: str, text: str
) -> None:
    assert only(judge("clinic", expected=expected, actual=actual)) == ("T", code, text)


def test_a_reason_carries_both_sides(judge: Judge) -> None:
    (reason,) = judge("clinic", expected=[("a", {"x": 1})], actual=[("a", {"x": 2})]).reasons
    assert reason.as_object() == {
        "gate": "T", "code": "argument_differs", "text": "a: x was 2, expected 1",
        "where": {"tool": "a", "argument": "x", "call": {"arguments": {"x": 2}, "t_ms": None}},
        "expected": 1, "actual": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("seen", "code"),
    [
        pytest.param({"output": {"ok": True, "data": {"price": 1}}}, "order_not_named", id="the answer names none"),
        pytest.param({"output": {"ok": True, "data": {"order_number": "KE-2000"}}}, "argument_differs", id="another"),
        pytest.param({"output": {"ok": False, "data": None}}, "argument_differs", id="refused"),
    ],
)
def test_an_honoured_call_whose_answer_names_no_order_has_its_own_code(judge: Judge, seen: Any, code: str) -> None:
    verdict = judge(
        "shop", expected=[("quote", {"order_number": "KE-1000"})], actual=[("quote", {"order_number": "tv"}, seen)]
    )
    assert only(verdict)[1] == code


def test_a_failed_path_shows_the_route_and_the_hop_that_never_came(judge: Judge) -> None:
    path = ["transfer_to_identity", "transfer_to_billing"]
    verdict = judge("clinic", path=path, actual=[("transfer_to_billing",), ("transfer_to_identity",)])
    assert only(verdict) == (
        "H",
        "path_incomplete",
        "transfer_to_billing never came after transfer_to_identity; "
        "the route was transfer_to_billing > transfer_to_identity",
    )
    silent = judge("clinic", path=path)
    assert only(silent)[2] == "transfer_to_identity never came; the route was no transfer at all"


@pytest.mark.parametrize(
    ("locked", "dumped", "code", "text"),
    [
        pytest.param(
            [{"id": 4, "status": "booked"}, {"id": 5, "status": "booked"}],
            [{"id": 5, "status": "cancelled"}, {"id": 4, "status": "booked"}],
            "value_differs",
            "appointments: status of row 5 was cancelled, expected booked",
            id="a column differs",
        ),
        pytest.param(
            [{"id": 4, "a": "x"}], [], "row_missing",
            'appointments: row 4 is missing: {"id": 4, "a": "x"}', id="lacking",
        ),
        pytest.param(
            [], [{"id": 4}], "row_unexpected", 'appointments: row 4 should not be there: {"id": 4}', id="surplus"
        ),
        pytest.param(
            [{"id": 4}], [{"id": 4, "b": 1}], "value_differs",
            "appointments: b of row 4 was 1, expected no such column", id="a column too many",
        ),
    ],
)  # fmt: skip
def test_a_failed_database_names_table_row_and_column(
    judge: Judge, locked: Any, dumped: Any, code: str, text: str
) -> None:
    verdict = judge("clinic", locked={"appointments": locked}, state={"appointments": dumped})
    assert only(verdict) == ("D", code, text)


def test_long_values_are_cut_in_the_sentence_but_not_beside_it(judge: Judge) -> None:
    (reason,) = judge("clinic", expected=[("a", {"x": "y" * 500})], actual=[("a", {"x": "z"})]).reasons
    assert len(reason.text) < 150
    assert reason.expected == "y" * 500


def test_a_pass_gives_no_reasons(judge: Judge) -> None:
    assert judge("clinic", expected=["a"], actual=[("a",)]).reasons == ()


def test_calls_out_of_scope_are_told_and_cost_nothing(judge: Judge) -> None:
    seen = {"in_scope": False, "node": "billing", "start_offset_ms": 7}
    verdict = judge("clinic", actual=[("book", {}, seen), ("book", {}, {"in_scope": True})])
    assert verdict.combined is True
    assert verdict.diagnostics.scope_violations == ({"tool": "book", "node": "billing", "t_ms": 7},)


def test_calls_out_of_order_are_told_and_cost_nothing(judge: Judge) -> None:
    refused = ("verify_identity", {}, {"ok": False})
    late = judge("clinic", actual=[refused, ("cancel_appointment",), ("verify_identity",)])
    assert late.combined is True
    assert late.diagnostics.order_violations == (
        {"tool": "cancel_appointment", "needs": "verify_identity", "t_ms": None},
    )
    fine = judge("clinic", actual=[("verify_identity",), ("cancel_appointment",)])
    assert fine.diagnostics.order_violations == ()


@pytest.mark.parametrize(
    ("pack", "key", "wanted", "heard", "needed"),
    [
        pytest.param("clinic", "start", "2026-08-24T09:00", "2026-08-24T09:00:00", True, id="minutes"),
        pytest.param("clinic", "start", "2026-08-24T09:00", " 2026-08-24T09:00", False, id="plain text suffices"),
        pytest.param("clinic", "callback_number", "+12125550100", "2125550100", True, id="digits"),
        pytest.param("clinic", "location_id", "loc_park_ave", "park avenue", False, id="offices are no parity alias"),
        pytest.param("clinic", "carrier", "bcbs", "Blue Cross", False, id="nor are carriers"),
        pytest.param("law firm", "practice_area", "auto_accident", "car accident", True, id="areas"),
        pytest.param("law firm", "for_whom", "Daniel Okonkwo", "Daniel Oconquo", False, id="nor fuzzy names"),
        pytest.param(
            "clinic", "start", {"any_of": ["x", "2026-08-24T09:00"]}, "2026-08-24 09:00", True, id="inside any of"
        ),
    ],
)
def test_spellings_only_the_environment_honours_are_listed(
    judge: Judge, pack: str, key: str, wanted: Any, heard: Any, needed: bool
) -> None:
    verdict = judge(pack, expected=[("t", {key: wanted})], actual=[("t", {key: heard})])
    assert verdict.combined is True
    listed = ({"tool": "t", "key": key, "expected": wanted, "actual": heard},)
    assert verdict.diagnostics.parity_aliases == (listed if needed else ())


def test_an_order_named_by_the_answer_is_listed(judge: Judge) -> None:
    seen = {"output": {"ok": True, "data": {"order_number": "KE-1000"}}}
    verdict = judge("shop", expected=[("get", {"order_number": "KE-1000"})], actual=[("get", {"x": 1}, seen)])
    assert verdict.diagnostics.parity_aliases == (
        {"tool": "get", "key": "order_number", "expected": "KE-1000", "actual": None},
    )


def test_reasons_say_where_for_programs(judge: Judge) -> None:
    verdict = judge(
        "clinic",
        expected=[("check", {"a": 1}), ("check", {"b": 1, "c": 2}, {"ok": True}), "find"],
        actual=[("check", {"a": 2}, {"start_offset_ms": 5}), ("check", {"b": 1, "c": 2}, {"ok": False})],
        path=["transfer_to_identity", "transfer_to_billing"],
        locked={"patients": [{"name": "x", "id": "p1"}], "appointments": [{"number": "A-1", "status": "booked"}]},
        state={"patients": [{"name": "y", "id": "p1"}], "appointments": []},
    )
    told = [(reason.gate, reason.code, dict(reason.where)) for reason in verdict.reasons]
    first, second = ({"arguments": {"a": 2}, "t_ms": 5}, {"arguments": {"b": 1, "c": 2}, "t_ms": None})
    assert told == [
        ("T", "argument_differs", {"tool": "check", "argument": "a", "call": first}),
        ("T", "outcome_differs", {"tool": "check", "outcome": "ok", "call": second}),
        ("T", "not_called", {"tool": "find"}),
        ("H", "path_incomplete", {"reached": 0, "of": 2, "next": "transfer_to_identity"}),
        ("D", "value_differs", {"table": "patients", "row": "p1", "column": "name"}),
        ("D", "row_missing", {"table": "appointments", "row": "a-1"}),
    ]


def test_diagnostics_change_no_verdict(judge: Judge) -> None:
    """The same call, with and without everything a diagnostic looks at."""
    sent, parity = {"start": "2026-08-24T09:00"}, {"start": "2026-08-24 09:00:00Z"}
    wanted = [("verify_identity", {}), ("cancel_appointment", sent)]
    plain = judge("clinic", expected=wanted, actual=[("verify_identity", {"a": 1}), ("cancel_appointment", sent)])
    odd = {"in_scope": False, "node": "billing"}
    remarked = judge(
        "clinic", expected=wanted, actual=[("cancel_appointment", parity, odd), ("verify_identity", {"a": 1}, odd)]
    )
    assert plain.diagnostics == type(plain.diagnostics)()
    assert all((remarked.diagnostics.scope_violations, remarked.diagnostics.order_violations))
    assert remarked.diagnostics.parity_aliases
    for part in ("mark", "combined", "handoff", "database", "reasons", "r_eval", "r_train"):
        assert getattr(plain, part) == getattr(remarked, part)
