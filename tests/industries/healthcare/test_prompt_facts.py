"""What the prompts may say is what the handlers hold: every figure a policy, every answer one that a call can get."""

from __future__ import annotations

from typing import Any

import pytest

from mivas.industries._shared.speech import count, dollars, in_words
from mivas.industries.healthcare.handlers import _policy, scheduling
from mivas.pack import PromptFactsFile, load_pack, read_prompt_facts

CENTS = 100
POLICY = {
    (_policy.MEDICAL_CANCELLATION.window_hours, "hour"),
    (_policy.COSMETIC_CANCELLATION.window_hours, "hour"),
    (_policy.MEDICAL_CANCELLATION.fee_cents / CENTS, "dollar"),
    (_policy.COSMETIC_CANCELLATION.fee_cents / CENTS, "dollar"),
    (_policy.COSMETIC_DEPOSIT_CENTS / CENTS, "dollar"),
    (_policy.FINANCING_MINIMUM_CENTS / CENTS, "dollar"),
    (_policy.FEE_REVIEW_BUSINESS_DAYS, "business day"),
    (_policy.PORTAL_LINK_HOURS, "hour"),
    (_policy.IDENTITY_ATTEMPTS, "failure"),
    (len(_policy.COSMETIC_POLICY_LINES), "policy line"),
    (scheduling.DEFAULT_RESULTS, "opening"),
    *((hours, "hour") for hours in _policy.CALLBACK_SLA_HOURS.values()),
}
SCHEMA = {(12, "opening"), (5, "digit"), (4, "digit")}
# No table holds these: published facts of the practice, and how Robin talks.
PUBLISHED = {
    (160, "office"), (380, "provider"), (100, "dollar"), (5, "day"), (3, "business day"), (9, "eastern"),
    (6, "eastern"), (911, None),
}  # fmt: skip
MANNERS = {
    (2, "choice"), (3, "choice"), (2, "opening"), (3, "opening"), (3, "word"), (2, "question"), (10, "digit"),
}  # fmt: skip

PHONE = "+16465550198"
OFFER = {
    "slot_id": "slot_loc_park_ave_1",
    "appointment_type_code": "MED_FOLLOWUP",
    "location_id": "loc_park_ave",
    "provider_id": "prov_chen",
    "start": "2026-08-24T09:00",
    "end": "2026-08-24T09:30",
}
MOVE = {"appointment_id": "1", "new_start": "2026-08-24T09:00", "new_end": "2026-08-24T09:30"}
CANCEL = {"appointment_id": "1", "cancellation_reason_code": "illness"}
CONSULT = {
    "service_interest": ["botox"],
    "location_id": "loc_park_ave",
    "provider_id": "prov_chen",
    "start": OFFER["start"],
}
ALLERGY = {"service": "allergy_shot", "location_id": "loc_park_ave"}
MEMBER = {"carrier": "aetna", "member_id": "W123456789", "dob": "1990-04-12", "service_date": "2026-08-24"}
VERIFY = ("verify_identity", {"full_name": "Jordan Lee", "dob": "1990-04-12"})
MISS = ("verify_identity", {"full_name": "Jordan Lee", "dob": "1990-04-13"})

# One phone call that gets every answer the prompts speak of: first unverified, then as Jordan Lee, at last locked out.
STORY: list[tuple[str, dict[str, Any]]] = [
    ("create_callback_task", {"callback_number": PHONE, "queue": "sales"}),
    ("create_callback_task", {"queue": "billing"}),
    ("create_callback_task", {"callback_number": PHONE, "queue": "billing"}),
    ("transfer_to_human", {"destination": "manager", "reason": "other"}),
    ("list_locations", {}),
    ("offer_financing", {}),
    *((tool, {}) for tool in ("get_patient_summary", "get_account_balance")),
    ("reschedule_appointment", MOVE),
    ("cancel_appointment", CANCEL),
    ("capture_insurance_update", {"carrier": "cigna", "member_id": "C445566778"}),
    ("request_rx_refill", {"medication_name": "xanax"}),
    ("create_clinical_message", {"category": "other"}),
    ("identify_patient", {"first_name": "Jordan"}),
    MISS,
    VERIFY,
    ("get_patient_summary", {}),
    ("classify_visit_request", {"visit_class": "mohs"}),
    ("classify_visit_request", {"visit_class": "botox"}),
    ("find_slots", {"location_ids": ["loc_park_ave"]}),
    ("book_appointment", OFFER),
    ("book_appointment", OFFER | {"slot_id": "slot_loc_park_ave_9"}),
    ("book_appointment", OFFER | {"end": "2026-08-24T10:00"}),
    ("book_appointment", OFFER | {"appointment_type_code": "COS_CONSULT"}),
    ("cancel_appointment", CANCEL),
    ("reschedule_appointment", MOVE | {"appointment_id": "2"}),
    ("cancel_appointment", CANCEL | {"appointment_id": "2"}),
    ("cancel_appointment", CANCEL | {"fee_disclosed_and_accepted": True}),
    ("reschedule_appointment", MOVE),
    ("join_waitlist", {"appointment_type_code": "NP_MED", "location_ids": ["loc_park_ave"], "earliest": "2026-08-24"}),
    ("schedule_allergy_service", ALLERGY | {"window_start": "2026-09-01"}),
    ("schedule_allergy_service", ALLERGY | {"service": "x-ray"}),
    ("schedule_allergy_service", ALLERGY | {"location_id": "Boston"}),
    ("schedule_allergy_service", ALLERGY),
    ("send_sms", {"mobile_e164": PHONE, "template_id": "appointment_confirmation"}),
    ("send_sms", {"mobile_e164": PHONE, "template_id": "other"}),
    ("check_plan_accepted", {"carrier": "medicaid", "location_id": "loc_park_ave"}),
    ("check_plan_accepted", {"carrier": "medicaid", "location_id": "Boston"}),
    ("run_eligibility_check", MEMBER),
    ("run_eligibility_check", MEMBER | {"carrier": "cigna"}),
    ("capture_insurance_update", {"carrier": "cigna", "member_id": "C445566778"}),
    ("get_account_balance", {}),
    ("explain_charge", {"line_item_id": "li_visit"}),
    ("explain_charge", {"line_item_id": "li_lab"}),
    ("send_payment_link", {"mobile_e164": PHONE}),
    ("offer_financing", {}),
    ("request_fee_waiver", {"fee_line_item_id": "li_noshow"}),
    ("request_fee_waiver", {"fee_line_item_id": "li_visit"}),
    ("quote_cosmetic_service", {"service": "botox"}),
    ("book_cosmetic_consult", CONSULT),
    ("book_cosmetic_consult", CONSULT | {"policy_acknowledged": True}),
    ("book_cosmetic_consult", CONSULT | {"policy_acknowledged": True, "location_id": "Boston"}),
    ("book_cosmetic_consult", CONSULT | {"policy_acknowledged": True, "location_id": "loc_windermere"}),
    ("book_cosmetic_consult", CONSULT | {"policy_acknowledged": True, "provider_id": "prov_who"}),
    ("get_results_status", {"order_type": "lab"}),
    *(
        ("request_rx_refill", {"medication_name": name})
        for name in ("triamcinolone", "accutane", "xanax", "dupixent", "aspirin")
    ),
    ("create_clinical_message", {"category": "other"}),
    ("send_portal_activation", {"channel": "sms"}),
    ("send_portal_activation", {"channel": "fax"}),
    *[MISS] * 4,
]


@pytest.fixture(scope="module")
def facts() -> PromptFactsFile:
    return read_prompt_facts(load_pack("healthcare").folder)


def test_the_figures_are_the_policies_and_no_other(facts: PromptFactsFile) -> None:
    assert {(figure.value, figure.unit) for figure in facts.figures} == POLICY | SCHEMA | PUBLISHED | MANNERS


def test_each_figure_stands_at_its_own_rule() -> None:
    medical, cosmetic = _policy.MEDICAL_CANCELLATION, _policy.COSMETIC_CANCELLATION
    notice, fee = count(cosmetic.window_hours, "hour"), dollars(cosmetic.fee_cents)
    deposit, smallest = dollars(_policy.COSMETIC_DEPOSIT_CENTS), dollars(_policy.FINANCING_MINIMUM_CENTS)
    hours = {priority: count(number, "hour") for priority, number in _policy.CALLBACK_SLA_HOURS.items()}
    review = count(_policy.FEE_REVIEW_BUSINESS_DAYS, "business day")
    everywhere = (
        f"cancel at least {count(medical.window_hours, 'hour')} ahead",
        f"a missed-visit fee of {dollars(medical.fee_cents)}.",
        f"the notice is {notice} and the fee {fee}",
        f"a deposit of {deposit}, paid by a link. It is lost inside {notice}",
        f"`stat` within {hours['stat']}, `urgent` within {hours['urgent']}, "
        f"`routine` or nothing within {hours['routine']}",
    )
    said = {
        "cosmetic": (f"The deposit of {deposit} (", f"If the quote is above {smallest}"),
        "billing": (f"until the review is done: {review}.", f"which names {smallest}"),
        "clinical": (
            f"stays good for {count(_policy.PORTAL_LINK_HOURS, 'hour')} (",
            f"{_policy.CALLBACK_WINDOWS['stat'].removeprefix('within ')} for `stat`, "
            f"{_policy.CALLBACK_WINDOWS['urgent'].removeprefix('within ')} for `urgent`, "
            f"{_policy.CALLBACK_WINDOWS['routine'].removeprefix('by ')} for `routine`",
        ),
        "identity": (f"{in_words(_policy.IDENTITY_ATTEMPTS).capitalize()} failures lock the check",),
    }
    for node in load_pack("healthcare").blueprint.nodes:
        for passage in (*everywhere, *said.get(node.id, ())):
            assert passage in node.instructions, (node.id, passage)


def test_figures_of_arguments_are_those_of_the_schema() -> None:
    schemas = load_pack("healthcare").tool_schemas
    assert schemas["find_slots"]["properties"]["max_results"]["maximum"] == 12
    assert schemas["list_locations"]["properties"]["zip"]["pattern"] == "^[0-9]{5}$"
    assert schemas["verify_identity"]["properties"]["second_factor"]["pattern"] == "^[0-9]{4,5}$"


def test_every_answer_that_prompts_speak_of_can_be_got_and_every_error_code_is_spoken_of(
    desk: Any, facts: PromptFactsFile
) -> None:
    got: dict[str, set[str]] = {}
    codes: set[str] = set()
    for tool, arguments in STORY:
        envelope = desk.post(tool, arguments)
        got.setdefault(tool, set()).update(envelope, _names(envelope["data"]), {str(envelope["error_code"])})
        codes |= {envelope["error_code"]} - {None}
    missing = {tool: set(names) - got.get(tool, set()) for tool, names in facts.answers.items()}
    assert {tool: names for tool, names in missing.items() if names} == {}
    assert codes == {name for names in facts.answers.values() for name in names if name.isupper()}


def _names(value: object) -> set[str]:
    """Every key and every text inside a tool's answer."""
    if isinstance(value, dict):
        return set(value).union(*map(_names, value.values()))
    if isinstance(value, list):
        return set().union(*map(_names, value))
    return {value} if isinstance(value, str) else set()
