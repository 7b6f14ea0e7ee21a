"""What must be said when safety or fraud is at stake is in the words that tools return."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

BATTERY = (
    "stop using|do not charge|fire|anything that burns|trash|recycling|drop-off|label|may not be mailed"
    "|household hazardous waste|person will take over"
)
RECALL = "under recall|stop using|never repair|never sell it again|manufacturer|remedy|free|person will take over"
SCAM = "no such charge|not come from Kestrel|common scam|renewal|refund sent back|gift cards|never ask"


def test_both_battery_refusals_say_it_all(caller: Callable[[str], Any]) -> None:
    desk = caller("amina")
    desk("quote_return")
    desk("confirm_return", confirmation_token="KE-RTN-4417")
    label = desk.post("create_return_label", {})["caller_safe_message"]
    visit = desk.post("book_service_appointment", {"service_type": "bench"})["caller_safe_message"]
    assert label == visit
    for part in BATTERY.split("|"):
        assert part in label


def test_a_recall_says_it_all_as_refusal_and_as_coverage(caller: Callable[[str], Any]) -> None:
    desk = caller("victor")
    said = desk.post("book_service_appointment", {"service_type": "bench"})["caller_safe_message"]
    data = desk("check_coverage", issue="smells burnt")
    assert data["script"] == said
    assert "recall" in data["next_step"]
    for part in RECALL.split("|"):
        assert part in said


def test_a_scam_is_called_one(desk: Any) -> None:
    refused = desk.post("check_subscription_charge", {"amount": 399.99})["caller_safe_message"]
    script = desk("check_subscription_charge", phone="541-555-0119", amount=399.99)["script"]
    for part in SCAM.split("|"):
        assert part in refused
        assert part in script


def test_no_contact_means_not_us(desk: Any) -> None:
    said = desk.post("check_outbound_contact", {})["caller_safe_message"]
    for part in ("no record of any contact", "not us", "do not call that number back"):
        assert part in said


def test_the_warranty_note_says_what_ends_nothing(caller: Callable[[str], Any]) -> None:
    note = caller("grace")("check_coverage", issue="dead")["warranty_note"]
    for part in ("repair somewhere else", "without a protection plan", "manufacturer warranty"):
        assert part in note


@pytest.mark.parametrize("tool", ["check_return_eligibility", "check_coverage", "quote_price_match"])
def test_a_seller_is_named_with_a_way_to_reach_them(caller: Callable[[str], Any], tool: str) -> None:
    said = caller("tomas").post(tool, {"issue": "x"})["caller_safe_message"]
    for part in ("Northwind Supply Co", "independent seller", "only took the order", "own policy", "person"):
        assert part in said
