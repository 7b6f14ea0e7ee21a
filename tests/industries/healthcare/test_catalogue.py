"""What agents are told: generated, closed, described, and the same names everywhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from mivas.industries.healthcare.handlers import _inputs, _policy
from mivas.industries.healthcare.tools import TOOLS
from mivas.pack import Pack
from mivas.state import catalogue_text

INDUSTRY = frozenset({
    "identify_patient", "verify_identity", "get_patient_summary", "list_locations", "classify_visit_request",
    "find_slots", "book_appointment", "reschedule_appointment", "cancel_appointment", "join_waitlist",
    "schedule_allergy_service", "send_sms", "check_plan_accepted", "run_eligibility_check", "capture_insurance_update",
    "get_account_balance", "explain_charge", "send_payment_link", "offer_financing", "request_fee_waiver",
    "quote_cosmetic_service", "book_cosmetic_consult", "request_rx_refill", "get_results_status",
    "create_clinical_message", "send_portal_activation", "create_callback_task",
})  # fmt: skip
HANDOFFS = {"identity", "scheduling", "coverage", "cosmetic", "billing", "clinical"}


def properties(pack: Pack) -> Iterator[tuple[str, dict[str, Any]]]:
    for tool in pack.tools.values():
        for name, schema in tool.input_schema["properties"].items():
            yield f"{tool.name}.{name}", schema


def test_tools_json_is_generated(pack: Pack) -> None:
    text = (pack.folder / "tools.json").read_text(encoding="utf-8")
    assert text == catalogue_text(TOOLS, pack.envelope)
    assert text.isascii()


def test_twenty_eight_tools_are_answered_and_seven_only_advertised(pack: Pack) -> None:
    answered = {tool.name for tool in TOOLS.tools if tool.handler is not None}
    assert answered == INDUSTRY | {"transfer_to_human"} == pack.posted_tools
    assert set(pack.tools) - answered == {f"transfer_to_{node}" for node in HANDOFFS} | {"end_call"}
    assert set(pack.tools) == {tool.name for node in pack.blueprint.nodes for tool in node.tools}


def test_every_input_is_a_closed_object_without_references(pack: Pack) -> None:
    for name, schema in pack.tool_schemas.items():
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object", name
        assert schema["additionalProperties"] is False, name
        assert set(schema.get("required", ())) <= set(schema["properties"]), name
        assert '"$ref"' not in json.dumps(schema), name


def test_every_property_is_typed_described_and_closed(pack: Pack) -> None:
    for name, schema in properties(pack):
        assert schema["description"].endswith("."), name
        text = schema["items"] if schema["type"] == "array" else schema
        assert text["type"] in ("string", "integer", "boolean"), name
        if text["type"] == "string":
            assert "enum" in text or "pattern" in text, name
        assert "const" not in text, name


def test_every_description_says_what_fits_better_next_door(pack: Pack) -> None:
    for tool in pack.tools.values():
        neighbours = {other for other in pack.tools if other != tool.name and other in tool.description}
        assert neighbours, tool.name
        assert len(tool.description.split(". ")) >= 2, tool.name


def test_a_description_names_only_real_tools(pack: Pack) -> None:
    for tool in pack.tools.values():
        named = set(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", tool.description))
        assert named <= set(pack.tools), tool.name


@pytest.mark.parametrize(
    ("where", "pattern", "good", "bad"),
    [
        ("verify_identity.dob", r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", "1990-04-12", "12/04/1990"),
        ("find_slots.window_start", None, "2026-08-24T09:00", "2026-08-24T09:00:00"),
        ("list_locations.zip", r"^[0-9]{5}$", "10016", "1001"),
        ("send_sms.mobile_e164", r"^\+[1-9][0-9]{7,14}$", "+12125550100", "2125550100"),
        ("book_appointment.slot_id", None, "slot_loc_windermere_12", "slot_loc_boston_1"),
        ("cancel_appointment.appointment_id", r"^[0-9]+$", "12", "T-12"),
        ("capture_insurance_update.member_id", r"^[A-Za-z0-9]{4,20}$", "C445566778", "C44"),
        ("capture_insurance_update.group_number", r"^[A-Za-z0-9]{2,20}$", "G7", "G"),
        ("verify_identity.second_factor", None, "0100", "100"),
        ("verify_identity.full_name", None, "Zoë O'Neil-Smith Jr.", "-Zoë"),
        ("identify_patient.last_name", None, "Ångström", "7th"),
    ],
)
def test_patterns_are_the_agreed_ones(pack: Pack, where: str, pattern: str | None, good: str, bad: str) -> None:
    schema = dict(properties(pack))[where]
    assert pattern is None or schema["pattern"] == pattern
    validator = Draft202012Validator(schema)
    assert validator.is_valid(good)
    assert not validator.is_valid(bad)


def test_dates_have_a_format_and_minutes_have_none(pack: Pack) -> None:
    formats = {name: schema.get("format") for name, schema in properties(pack) if "pattern" in schema}
    assert {name for name, kind in formats.items() if kind} == {
        "identify_patient.dob", "verify_identity.dob", "join_waitlist.earliest", "join_waitlist.latest",
        "run_eligibility_check.dob", "run_eligibility_check.service_date",
    }  # fmt: skip
    assert set(formats.values()) == {"date", None}


@pytest.mark.parametrize(
    ("choices", "table"),
    [
        pytest.param(_policy.VisitClass, _policy.VISIT_CLASSES, id="visit classes"),
        pytest.param(_policy.Urgency, _policy.URGENCIES, id="urgencies"),
        pytest.param(_policy.VisitTypeCode, _policy.VISIT_TYPES, id="visit types"),
        pytest.param(_policy.AllergyServiceName, _policy.ALLERGY_SERVICES, id="allergy services"),
        pytest.param(_policy.CosmeticServiceName, _policy.COSMETIC_PRICES, id="cosmetic prices"),
        pytest.param(_policy.MedicationName, _policy.FORMULARY, id="formulary"),
        pytest.param(_policy.RefillRouteName, _policy.REFILL_ROUTES, id="refill routes"),
        pytest.param(_policy.LineItemId, _policy.CHARGE_SCRIPTS, id="charges"),
        pytest.param(_policy.LineItemId, _policy.LINE_ITEM_LABELS, id="line labels"),
        pytest.param(_policy.Priority, _policy.CALLBACK_SLA_HOURS, id="deadlines"),
        pytest.param(_policy.Priority, _policy.CALLBACK_WINDOWS, id="clinical windows"),
        pytest.param(_policy.PortalChannel, _policy.PORTAL_CHANNELS, id="portal channels"),
        pytest.param(_policy.SmsTemplate, _policy.SMS_TEMPLATES, id="texts"),
        pytest.param(_policy.CallbackQueue, _policy.CALLBACK_QUEUES, id="queues"),
        pytest.param(_policy.TransferDestination, _policy.TRANSFER_DESTINATIONS, id="destinations"),
    ],
)
def test_what_agents_may_choose_is_what_the_tables_know(choices: Any, table: Any) -> None:
    assert set(get_args(choices)) == set(table)


def test_offices_providers_and_carriers_are_those_of_seed_and_scoring(desk: Any, pack: Pack) -> None:
    state = desk.state()
    offices = set(get_args(_inputs.OfficeId))
    assert (
        offices == {row["id"] for row in state["locations"]} == set(pack.scoring.aliases["office"].spellings.values())
    )
    assert set(get_args(_inputs.ProviderId)) == {row["id"] for row in state["providers"]}
    carriers = set(get_args(_inputs.CarrierSlug))
    assert carriers == set(pack.scoring.aliases["carrier"].spellings.values())
    assert carriers >= _policy.ACCEPTED_CARRIERS | _policy.REFUSED_CARRIERS


def test_office_names_are_spellings_of_their_ids(desk: Any, pack: Pack) -> None:
    for row in desk.state()["locations"]:
        assert pack.scoring.canonical("office", row["name"]) == row["id"]
