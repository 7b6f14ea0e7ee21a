"""Who pays for a repair, and TechCrew's appointments."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

FAULT, ACCIDENT = "will not charge", "I DROPPED it"
# Who, order, issue, coverage, payer, what is due
RUNGS = [
    ("victor", "", FAULT, "recall_remedy", "manufacturer", "$0.00"),
    ("victor", "", ACCIDENT, "recall_remedy", "manufacturer", "$0.00"),
    ("priya", "", ACCIDENT, "techcrew_protect", "customer_deductible", "$149.00"),
    ("nadia", "KE-4492551", FAULT, "techcrew_protect", "customer_deductible", "$249.00"),
    ("grace", "", ACCIDENT, "kestrel_total", "kestrel", "$0.00"),
    ("owen", "", FAULT, "kestrel_total", "kestrel", "$0.00"),
    ("dana", "", ACCIDENT, "kestrel_total", "kestrel", "$0.00"),
    ("marcus", "KE-4408117", FAULT, "manufacturer_warranty", "manufacturer", "$0.00"),
    ("marcus", "KE-4408117", "a crack in the screen", "not_covered", "customer", "$39.99"),
    ("amina", "", FAULT, "manufacturer_warranty", "manufacturer", "$0.00"),
]


@pytest.mark.parametrize(("who", "order", "issue", "coverage", "payer", "due"), RUNGS)
def test_the_first_rung_that_applies_pays(
    caller: Callable[[str], Any], who: str, order: str, issue: str, coverage: str, payer: str, due: str
) -> None:
    data = caller(who)("check_coverage", order_number=order, issue=f" {issue} ")
    assert (data["coverage"], data["payer"], data["amount_due"]) == (coverage, payer, due)
    assert data["covered"] is (coverage != "not_covered")
    assert data["issue"] == issue.lower()
    assert data["warranty_note"]
    extras = {
        "recall_remedy": {"script", "next_step"},
        "techcrew_protect": {"plan_name", "covers_accidental"},
        "kestrel_total": {"covers_accidental", "detail"},
        "manufacturer_warranty": {"covers_accidental", "detail"},
        "not_covered": {"detail"},
    }[coverage]
    always = {
        "item_name", "sku", "issue", "order_number", "recalled", "battery_safety_flag", "warranty_note", "covered",
        "coverage", "payer", "amount_due",
    }  # fmt: skip
    assert set(data) == always | extras
    if "covers_accidental" in extras:
        assert data["covers_accidental"] is (coverage != "manufacturer_warranty")


@pytest.mark.parametrize(
    "issue",
    [
        "drop", "dropped", "crack", "cracked", "smash", "shattered", "water got in", "liquid", "spill", "spilled tea",
        "I sat on it", "we ran over it", "damage", "Damaged",
    ],
)  # fmt: skip
def test_these_words_tell_of_an_accident(caller: Callable[[str], Any], issue: str) -> None:
    assert caller("marcus")("check_coverage", order_number="laptop", issue=issue)["coverage"] == "not_covered"


@pytest.mark.parametrize("issue", ["", None, "no sound", "it fell", "broken"])
def test_other_words_tell_of_a_defect(caller: Callable[[str], Any], issue: Any) -> None:
    data = caller("marcus")("check_coverage", order_number="laptop", issue=issue)
    assert data["coverage"] == "manufacturer_warranty"


@pytest.mark.parametrize(("days", "covered"), [(364, True), (365, True), (366, False)])
def test_the_warranty_lasts_a_year(on_day: Callable[..., Any], days: int, covered: bool) -> None:
    desk = on_day(date(2026, 7, 10) + timedelta(days=days), "marcus")
    data = desk("check_coverage", order_number="laptop", issue=FAULT)
    assert data["coverage"] == ("manufacturer_warranty" if covered else "not_covered")


@pytest.mark.parametrize(("days", "covered"), [(729, True), (730, True), (731, False)])
def test_total_covers_two_years(on_day: Callable[..., Any], days: int, covered: bool) -> None:
    desk = on_day(date(2025, 11, 10) + timedelta(days=days), "grace")
    assert (desk("check_coverage", issue=ACCIDENT)["coverage"] == "kestrel_total") is covered


@pytest.mark.parametrize(("start", "covered"), [("2025-11-09", True), ("2025-11-10", True), ("2025-11-11", False)])
def test_total_must_have_begun_by_the_delivery(caller: Callable[[str], Any], start: str, covered: bool) -> None:
    desk = caller("grace")
    desk.look("UPDATE customers SET membership_start = ? WHERE id = 'cust_grace'", start)
    assert (desk("check_coverage", issue=ACCIDENT)["coverage"] == "kestrel_total") is covered


@pytest.mark.parametrize(("start", "covered"), [("2026-07-31", True), ("2026-08-01", True), ("2026-08-02", False)])
def test_for_what_has_not_come_total_must_have_begun_by_today(
    caller: Callable[[str], Any], start: str, covered: bool
) -> None:
    desk = caller("dana")
    desk.look("UPDATE customers SET membership_start = ? WHERE id = 'cust_dana'", start)
    assert (desk("check_coverage", issue=ACCIDENT)["coverage"] == "kestrel_total") is covered


@pytest.mark.parametrize(
    ("day", "active"), [("2026-07-19", False), ("2026-07-20", True), ("2028-07-20", True), ("2028-07-21", False)]
)
def test_a_plan_runs_from_its_first_to_its_last_day(on_day: Callable[..., Any], day: str, active: bool) -> None:
    desk = on_day(day, "priya")
    (plan,) = desk("get_protection_plans")["plans"]
    assert plan["active"] is active
    found = desk("check_coverage", issue=ACCIDENT)["coverage"]
    assert (found == "techcrew_protect") is active


def test_a_plan_counts_for_its_sku_whatever_the_order(caller: Callable[[str], Any]) -> None:
    desk = caller("priya")
    desk.look("UPDATE protection_plans SET order_number = 'KE-1' WHERE id = 'pp_priya'")
    assert desk("check_coverage", issue=FAULT)["plan_name"] == "TechCrew Protect Mobile"
    assert caller("glen")("check_coverage", issue=FAULT)["coverage"] == "kestrel_total"


def test_plans_are_listed_with_tier(caller: Callable[[str], Any]) -> None:
    assert caller("priya")("get_protection_plans") == {
        "plans": [
            {"plan_name": "TechCrew Protect Mobile", "sku": "SKU-MOB-7702", "order_number": "KE-4462884",
             "starts": "2026-07-20", "ends": "2028-07-20", "deductible": "$149.00", "active": True}
        ],
        "count": 1,
        "tier": "plus",
    }  # fmt: skip
    total = caller("grace")("get_protection_plans")
    assert total.pop("membership_coverage")
    assert total == {"plans": [], "count": 0, "tier": "total"}


def test_goods_of_a_seller_are_refused_before_the_item_is_asked_for(caller: Callable[[str], Any]) -> None:
    assert caller("tomas").refused("check_coverage", sku="SKU-X", issue=FAULT) == "MARKETPLACE_SELLER_POLICY"


SLOTS = {
    "bench": ["2026-08-03 11:00am", "2026-08-04 2:00pm", "2026-08-05 10:00am", "2026-08-06 3:00pm",
              "2026-08-07 11:00am", "2026-08-08 1:00pm"],
    "in_home": ["2026-08-05 8am-12pm", "2026-08-07 12pm-4pm", "2026-08-10 8am-12pm", "2026-08-12 12pm-4pm"],
    "remote": ["2026-08-02 9:00am", "2026-08-03 1:00pm", "2026-08-04 9:00am"],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "slot"), [(kind, slot) for kind, slots in SLOTS.items() for slot in slots])
def test_the_asked_day_is_booked_when_it_is_open(caller: Callable[[str], Any], kind: str, slot: str) -> None:
    day, window = slot.split()
    data = caller("grace")("book_service_appointment", service_type=kind, date=day, issue=FAULT)
    assert data == {
        "status": "booked", "appointment_id": 1, "service_type": kind, "date": day, "time_window": window,
        "item_name": "Kestrel Aurora Pro 16 Laptop", "amount_due": "$0.00", "coverage": "kestrel_total",
    }  # fmt: skip


@pytest.mark.parametrize("kind", SLOTS)
@pytest.mark.parametrize("day", [None, "", "2026-08-09", "August 30"])
def test_otherwise_the_earliest_is_booked_and_said(caller: Callable[[str], Any], kind: str, day: Any) -> None:
    data = caller("grace")("book_service_appointment", service_type=kind, date=day)
    assert f"{data['date']} {data['time_window']}" == SLOTS[kind][0]
    assert data["relaxed_filter"]


def test_openings_are_never_used_up_and_each_call_books_again(caller: Callable[[str], Any]) -> None:
    desk = caller("grace")
    for row_id in (1, 2):
        data = desk("book_service_appointment", service_type="bench", date="2026-08-03", issue=FAULT)
        assert data["appointment_id"] == row_id
    rows = desk.state()["service_appointments"]
    assert [row.pop("id") for row in rows] == [1, 2]
    assert rows == [
        {"customer_id": "cust_grace", "sku": "SKU-CMP-9930", "service_type": "bench", "date": "2026-08-03",
         "time_window": "11:00am", "issue": FAULT, "payer": "kestrel", "status": "booked"}
    ] * 2  # fmt: skip


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("bench", "bench"), ("In store", "bench"), ("drop off", "bench"), ("repair", "bench"), ("", "bench"),
        (None, "bench"), ("in the store", "bench"), ("in home", "in_home"), ("House Call", "in_home"),
        ("at home", "in_home"), ("over the phone", "remote"), ("virtual", "remote"), ("online", "remote"),
        ("in-home", None), ("bring it in", None), ("come to the house", None), ("bench today", None), (7, None),
    ],
)  # fmt: skip
def test_kinds_of_service_have_their_spellings(caller: Callable[[str], Any], said: Any, kind: str | None) -> None:
    desk = caller("grace")
    if kind is None:
        assert desk.refused("book_service_appointment", service_type=said) == "NO_SUCH_SLOT"
    else:
        assert desk("book_service_appointment", service_type=said)["service_type"] == kind


@pytest.mark.parametrize(
    ("who", "sku", "kind", "day", "code"),
    [
        ("felix", "nothing", "x", "x", "UNKNOWN_ITEM"),
        ("amina", "", "x", "x", "HAZMAT_NO_SERVICE"),
        ("victor", "", "x", "x", "RECALLED_NO_SERVICE"),
        ("tomas", "", "x", "x", "NO_SUCH_SLOT"),
        ("tomas", "", "bench", "x", "INVALID_DATE"),
        ("tomas", "", "bench", "", "MARKETPLACE_SELLER_POLICY"),
    ],
)
def test_dangers_come_before_the_kind_and_sellers_last(
    caller: Callable[[str], Any], who: str, sku: str, kind: str, day: str, code: str
) -> None:
    desk = caller(who)
    assert desk.refused("book_service_appointment", sku=sku, service_type=kind, date=day) == code
    assert desk.state()["service_appointments"] == []


def test_a_dangerous_battery_comes_before_a_recall(caller: Callable[[str], Any]) -> None:
    desk = caller("victor")
    desk.look("UPDATE order_items SET hazmat = 1 WHERE id = 'it_09'")
    assert desk.refused("book_service_appointment", service_type="bench") == "HAZMAT_NO_SERVICE"


def test_the_sku_may_name_the_order(caller: Callable[[str], Any]) -> None:
    desk = caller("marcus")
    assert desk("book_service_appointment", sku="SKU-CMP-2280", service_type="bench")["item_name"].endswith("Monitor")
    assert desk("book_service_appointment", item="laptop", service_type="bench")["item_name"].endswith("Laptop")


def test_payer_and_issue_are_written_as_they_were(caller: Callable[[str], Any]) -> None:
    desk = caller("marcus")
    desk("book_service_appointment", sku="laptop", service_type="bench", issue=" It Fell, cracked ")
    row = desk.state()["service_appointments"][0]
    assert (row["issue"], row["payer"]) == (" It Fell, cracked ", "customer")


def test_appointments_are_listed_and_cancelled(caller: Callable[[str], Any]) -> None:
    desk = caller("grace")
    assert desk.refused("get_service_appointment") == "NO_APPOINTMENTS"
    assert desk.refused("cancel_service_appointment") == "NO_APPOINTMENTS"
    for kind in ("bench", "remote", "in_home"):
        desk("book_service_appointment", service_type=kind)
    assert desk.refused("cancel_service_appointment") == "UNKNOWN_APPOINTMENT"
    assert desk.refused("cancel_service_appointment", appointment_id="9") == "UNKNOWN_APPOINTMENT"
    assert desk("cancel_service_appointment", appointment_id="no. 2") == {
        "status": "cancelled", "appointment_id": 2, "was_on": "2026-08-02 9:00am",
    }  # fmt: skip
    assert desk.refused("cancel_service_appointment", appointment_id=2) == "UNKNOWN_APPOINTMENT"
    assert desk("cancel_service_appointment", appointment_id=1)["appointment_id"] == 1
    assert desk("cancel_service_appointment", appointment_id=1)["appointment_id"] == 3
    assert desk.refused("cancel_service_appointment", appointment_id=3) == "NO_APPOINTMENTS"
    data = desk("get_service_appointment")
    assert data["count"] == 3
    assert data["appointments"][1] == {
        "appointment_id": 2, "service_type": "remote", "date": "2026-08-02", "time_window": "9:00am", "issue": "",
        "status": "cancelled",
    }  # fmt: skip
