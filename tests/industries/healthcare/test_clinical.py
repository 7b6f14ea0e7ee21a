"""Clinical desk: where refills go, what is said about results, messages and the portal."""

from __future__ import annotations

from typing import Any

import pytest

ROUTES = {
    "triamcinolone": ("routed_to_provider", False, "not an approval"),
    "isotretinoin": ("isotretinoin_program", True, "monthly"),
    "accutane": ("isotretinoin_program", True, "monthly"),
    "tramadol": ("controlled_substance", True, "never refilled over the phone"),
    "xanax": ("controlled_substance", True, "has to see you"),
    "adderall": ("controlled_substance", True, "never"),
    "oxycodone": ("controlled_substance", True, "never"),
    "codeine": ("controlled_substance", True, "never"),
    "dupixent": ("biologic_coordinator", True, "call you back"),
    "humira": ("biologic_coordinator", True, "call you back"),
    "skyrizi": ("biologic_coordinator", True, "call you back"),
}


@pytest.mark.parametrize("medication", ROUTES)
def test_a_refill_is_routed_logged_and_never_approved(desk: Any, medication: str) -> None:
    route, hard_stop, words = ROUTES[medication]
    sent = f" {medication.upper()}"
    data = desk.verified()("request_rx_refill", medication_name=sent, pharmacy="corner")
    assert (data["route"], data["hard_stop"], data["approved"]) == (route, hard_stop, False)
    assert words in data["note"]
    if route == "controlled_substance":
        assert data.pop("spoken_commitment") == data["note"]
    assert set(data) == {"route", "hard_stop", "approved", "note"}
    logged = {"patient_id": "pat_jordan_lee", "medication_name": sent, "pharmacy": "corner", "route": route}
    assert desk.events() == [("rx_refill_request", logged)]


def test_every_refill_request_is_logged(desk: Any) -> None:
    desk.verified()
    for _ in range(3):
        desk("request_rx_refill", medication_name="xanax")
    assert len(desk.events()) == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"order_type": "pathology"}, "pathology"),
        ({"order_type": "allergy"}, "allergy"),
        ({}, "lab"),
        ({"order_type": ""}, "lab"),
        ({"order_type": None}, "lab"),
        ({"order_type": 5}, "5"),
    ],
)
def test_results_have_one_status_and_no_content(desk: Any, arguments: dict[str, Any], words: str) -> None:
    seed = desk.state()
    data = desk("get_results_status", **arguments)
    assert set(data) == {"status", "approved_script"}
    assert data["status"] == "resulted_pending_review"
    for word in (words, "come back", "reviewing", "clinician", "over the phone", "message"):
        assert word in data["approved_script"]
    assert desk.state() == seed


@pytest.mark.parametrize(
    ("sent", "priority", "window"),
    [
        ("stat", "stat", "within one hour"),
        ("URGENT", "urgent", "within four hours"),
        ("routine", "routine", "by the end of the next business day"),
        (None, "routine", "by the end of the next business day"),
        ("asap", "routine", "by the end of the next business day"),
        (" stat ", "routine", "by the end of the next business day"),
        (4, "routine", "by the end of the next business day"),
    ],
)
def test_a_message_is_answered_within_the_window_of_its_priority(
    desk: Any, sent: Any, priority: str, window: str
) -> None:
    data = desk.verified()(
        "create_clinical_message", category="anything", priority=sent, callback_number="+17185550122"
    )
    assert window in data.pop("spoken_commitment")
    assert data == {
        "message_id": "cm_1",
        "queued": True,
        "priority": priority,
        "category": "anything",
        "callback_window": window,
    }
    logged = {"patient_id": "pat_jordan_lee", "category": "anything", "priority": priority}
    assert desk.events() == [("clinical_message", logged | {"callback_number": "+17185550122"})]


def test_a_message_without_priority_is_logged_as_routine(desk: Any) -> None:
    desk.verified()("create_clinical_message", category="other")
    assert desk.events()[0][1]["priority"] == "routine"


@pytest.mark.parametrize("channel", ["sms", " EMAIL "])
def test_the_portal_link_is_sent_and_the_portal_stays_inactive(desk: Any, channel: str) -> None:
    normal = channel.strip().lower()
    data = desk.verified()("send_portal_activation", channel=channel, address="ignored")
    assert data == {"sent": True, "channel": normal, "expires": "seventy-two hours"}
    assert desk.events() == [("portal_activation", {"channel": normal})]
    assert desk("get_patient_summary")["portal_active"] is False
