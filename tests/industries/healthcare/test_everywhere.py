"""What every desk can do, the shared event sequence, and the tools the service does not know."""

from __future__ import annotations

from typing import Any

import pytest

TASK = {"callback_number": "+12125550100", "queue": "front_desk"}


@pytest.mark.parametrize(
    ("priority", "hours", "words"),
    [
        ("stat", 1, "one hour."),
        ("urgent", 4, "four hours"),
        ("routine", 24, "twenty-four hours"),
        (None, 24, "twenty-four hours"),
        ("URGENT", 24, "twenty-four hours"),
        (" stat", 24, "twenty-four hours"),
        ([], 24, "twenty-four hours"),
    ],
)
def test_a_callback_is_promised_in_words(desk: Any, priority: Any, hours: int, words: str) -> None:
    task = TASK | {"priority": priority}
    data = desk("create_callback_task", **task)
    spoken = data.pop("spoken_commitment")
    for part in ("front desk team", "two one two, five five five, zero one zero zero", words):
        assert part in spoken
    assert data == {"task_id": "cb_1", "queue": "front_desk", "sla_hours": hours}
    assert desk.events() == [("callback_task", task)]


@pytest.mark.parametrize("queue", ["billing", "clinical", "front_desk", "cosmetic", "records"])
def test_every_team_takes_callbacks(desk: Any, queue: str) -> None:
    assert desk("create_callback_task", **TASK | {"queue": queue})["queue"] == queue


@pytest.mark.parametrize("queue", ["Billing", "front desk", " billing", 1, {}])
def test_a_team_is_named_to_the_letter(desk: Any, queue: Any) -> None:
    assert desk.refused("create_callback_task", **TASK | {"queue": queue}) == "UNKNOWN_QUEUE"


@pytest.mark.parametrize(
    "destination",
    [
        "patient_support_center",
        "billing_team",
        "location_front_desk",
        "cosmetic_coordinator",
        "clinical_triage",
        "records",
        "on_call",
    ],
)
def test_a_transfer_is_recorded_whatever_the_reason(desk: Any, destination: str) -> None:
    transfer = {"destination": destination, "reason": "because"}
    assert desk("transfer_to_human", **transfer) == {"transferred": True, "destination": destination}
    assert desk.events() == [("transfer", transfer)]


def test_ids_of_tasks_and_messages_come_from_one_sequence(desk: Any) -> None:
    desk.verified()
    desk("send_sms", mobile_e164="+12125550100", template_id="appointment_confirmation")
    assert desk("create_callback_task", **TASK)["task_id"] == "cb_2"
    assert desk.refused("create_callback_task", **TASK | {"queue": "x"}) == "UNKNOWN_QUEUE"
    assert desk("create_clinical_message", category="other")["message_id"] == "cm_3"
    assert [row["id"] for row in desk.state()["tool_events"]] == [1, 2, 3]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("capture_insurance_update", {"carrier": "cigna", "member_id": "C1"}),
        ("request_rx_refill", {"medication_name": "xanax"}),
        ("create_clinical_message", {"category": "other"}),
    ],
)
def test_the_patient_stands_first_and_a_sent_patient_id_wins(desk: Any, tool: str, arguments: dict[str, Any]) -> None:
    desk.verified()
    desk(tool, **arguments)
    desk(tool, **arguments, patient_id="pat_leo_park", extra={"deep": [1, None]})
    plain, sent = (payload for _, payload in desk.events())
    assert next(iter(plain)) == next(iter(sent)) == "patient_id"
    assert (plain["patient_id"], sent["patient_id"]) == ("pat_jordan_lee", "pat_leo_park")
    assert sent["extra"] == {"deep": [1, None]}


def test_a_sent_route_never_replaces_the_real_one(desk: Any) -> None:
    desk.verified()("request_rx_refill", medication_name="xanax", route="approved")
    assert desk.events()[0][1]["route"] == "controlled_substance"


@pytest.mark.parametrize(
    "name",
    [
        "transfer_to_identity",
        "transfer_to_scheduling",
        "transfer_to_coverage",
        "transfer_to_cosmetic",
        "transfer_to_billing",
        "transfer_to_clinical",
        "end_call",
        "cancel_everything",
    ],
)
def test_handoffs_and_ending_the_call_are_not_the_services(desk: Any, name: str) -> None:
    answer = desk.service.call_tool(desk.call_id, name, {})
    assert answer.status == 404
    assert isinstance(answer.json["detail"], str)


READS = [
    ("identify_patient", {"zip": "10016"}),
    ("verify_identity", {"full_name": "Jordan Lee", "dob": "1990-04-12"}),
    ("get_patient_summary", {}),
    ("list_locations", {}),
    ("classify_visit_request", {"visit_class": "mohs"}),
    ("find_slots", {"location_ids": ["loc_park_ave"]}),
    ("check_plan_accepted", {"carrier": "aetna", "location_id": "loc_park_ave"}),
    (
        "run_eligibility_check",
        {"carrier": "aetna", "member_id": "W123456789", "dob": "1990-04-12", "service_date": "2026-08-24"},
    ),
    ("get_account_balance", {}),
    ("explain_charge", {"line_item_id": "li_visit"}),
    ("offer_financing", {"amount_cents": 1}),
    ("quote_cosmetic_service", {"service": "botox"}),
    ("get_results_status", {"order_type": "lab"}),
]


@pytest.mark.parametrize(("tool", "arguments"), READS, ids=[tool for tool, _ in READS])
def test_a_reading_tool_writes_nothing(desk: Any, tool: str, arguments: dict[str, Any]) -> None:
    seed = desk.verified().state()
    desk(tool, **arguments)
    assert desk.state() == seed
