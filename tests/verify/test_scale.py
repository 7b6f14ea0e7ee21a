"""Big evidence is judged in time that grows with its size: a quadratic rule would run into the timeout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mivas.pack.equality import EqualityRule
from mivas.verify import Verdict

Judge = Callable[..., Verdict]
MANY = 10_000

pytestmark = pytest.mark.timeout(30)


@pytest.mark.parametrize(
    ("pack", "name"),
    [("healthcare", "find_slots"), ("healthcare", "send_sms"), ("legal", "check_conflict"),
     ("customer-support", "get_order")],
)  # fmt: skip
def test_ten_thousand_calls_of_one_tool(judge: Judge, pack: str, name: str) -> None:
    keys = {"location_ids": ["loc_park_ave"], "opposing_party": "Vertex Logistics", "order_number": "KE-1000001"}
    actual = [
        (name, {"location_ids": [f"no {at}"], "opposing_party": f"No {at}", "order_number": f"no {at}"},
         {"start_offset_ms": MANY - at, "output": {"ok": True, "data": {}}})
        for at in range(MANY)
    ]  # fmt: skip
    verdict = judge(pack, expected=[(name, keys)] * 10, actual=actual, schemas={})
    assert verdict.combined is False
    assert len(verdict.reasons) >= 10


def test_ten_thousand_hops(judge: Judge) -> None:
    hops = ["transfer_to_billing", "transfer_to_identity"] * (MANY // 2)
    assert judge("healthcare", path=hops, actual=[(hop,) for hop in hops]).combined is True
    verdict = judge("healthcare", path=["transfer_to_clinical"], actual=[(hop,) for hop in hops])
    (reason,) = verdict.reasons
    assert reason.text.endswith("… (10000 transfers)")
    assert len(reason.text) < 500


def test_ten_thousand_expected_calls_that_were_made_or_never(judge: Judge) -> None:
    calls = [("check_conflict", {"opposing_party": f"Party {at}"}) for at in range(MANY)]
    assert judge("legal", expected=calls, actual=calls).combined is True
    verdict = judge("legal", expected=calls, actual=[("take_message", {})] * MANY)
    assert len(verdict.reasons) == MANY


@pytest.mark.parametrize("table", ["patients", "waitlist"])
def test_ten_thousand_rows(judge: Judge, table: str) -> None:
    rows = [{"id": at, "name": f"Patient {at}", "start": "2026-08-24T09:00"} for at in range(MANY)]
    other = [{**row, "start": "2026-08-24T10:00"} for row in reversed(rows)]
    assert judge("healthcare", locked={table: rows}, state={table: rows[::-1]}).database.passed is True
    assert judge("healthcare", locked={table: rows}, state={table: other}).database.passed is False


@pytest.mark.parametrize(
    "heard",
    [
        pytest.param("vertex " * 200_000, id="many words"),
        pytest.param("v" * 1_000_000 + " ertex", id="one long word"),
        pytest.param("VertexLogistic" * 100_000, id="one long word that begins well"),
    ],
)
def test_a_long_name(judge: Judge, heard: str) -> None:
    wanted = "VertexLogistic" * 100_000 + "s" if heard.startswith("VertexLogistic") else "Vertex Logistics"
    verdict = judge(
        "legal",
        expected=[("check_conflict", {"opposing_party": wanted})],
        actual=[("check_conflict", {"opposing_party": heard})],
    )
    assert verdict.combined is heard.startswith("VertexLogistic")


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(10**5000, id="more digits than Python writes out"),
        pytest.param(-(10**400), id="more than a float holds"),
        pytest.param(2**63, id="more than a database holds"),
        pytest.param(float("inf"), id="infinity"),
    ],
)
@pytest.mark.parametrize("key", ["phone", "order_number", "competitor_price", "for_whom", "x"])
def test_numbers_no_record_should_hold(judge: Judge, key: str, value: Any, rules: Any) -> None:
    for pack in ("legal", "customer-support"):
        for wanted, sent in ((value, "1"), ("1", value), (value, value)):
            verdict = judge(pack, expected=[("t", {key: wanted})], actual=[("t", {key: sent})], schemas={})
            assert verdict.combined is (wanted is sent or (pack, key) == ("customer-support", "phone")), (
                "phone is prose"
            )
        every: tuple[EqualityRule, ...] = rules(pack)[0].rules_for(key)
        assert all(rule.compare(value, value) in (True, False, None) for rule in every)
        assert judge(pack, locked={"holds": [{key: value}]}, state={"holds": [{key: 1}]}).database.passed is False
