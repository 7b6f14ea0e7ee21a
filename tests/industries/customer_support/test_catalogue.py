"""What agents are told: generated, open, described, and the same names everywhere."""

from __future__ import annotations

import json
import re

import pytest
from jsonschema import Draft202012Validator

from mivas.industries.customer_support.tools import TOOLS
from mivas.pack import Pack
from mivas.state import catalogue_text

ORDER = [
    "search_kb",
    "get_store_info",
    "get_policy",
    "get_fee",
    "identify_customer",
    "verify_identity",
    "get_customer_summary",
    "get_order",
    "quote_delivery_change",
    "confirm_delivery_change",
    "cancel_order",
    "quote_price_match",
    "confirm_price_match",
    "check_return_eligibility",
    "quote_return",
    "confirm_return",
    "create_return_label",
    "get_refund_status",
    "get_protection_plans",
    "check_coverage",
    "book_service_appointment",
    "get_service_appointment",
    "cancel_service_appointment",
    "get_membership",
    "quote_membership_upgrade",
    "confirm_membership_upgrade",
    "quote_membership_cancellation",
    "confirm_membership_cancellation",
    "check_subscription_charge",
    "check_outbound_contact",
    "report_scam_contact",
    "escalate_to_human",
    "end_call",
    "transfer_to_verification",
    "transfer_to_fraud",
    "transfer_to_orders",
    "transfer_to_returns",
    "transfer_to_service",
    "transfer_to_membership",
]
# Arguments with their types; a star marks the required ones.
ARGUMENTS = {
    "search_kb": "query*:string",
    "get_store_info": "store*:string",
    "get_policy": "topic*:string",
    "get_fee": "fee*:string",
    "identify_customer": "full_name:string phone:string order_number:string",
    "verify_identity": "postal_code*:string card_last4*:string",
    "get_order": "order_number:string",
    "quote_delivery_change": "order_number:string new_date*:string",
    "confirm_delivery_change": "confirmation_token*:string",
    "cancel_order": "order_number:string",
    "quote_price_match": "order_number:string sku:string competitor*:string competitor_price*:number in_stock:boolean",
    "confirm_price_match": "confirmation_token*:string",
    "check_return_eligibility": "order_number:string sku:string opened:boolean",
    "quote_return": "order_number:string sku:string reason:string opened:boolean",
    "confirm_return": "confirmation_token*:string fee_disclosed_acknowledged:boolean",
    "create_return_label": "rma_number:string",
    "get_refund_status": "rma_number:string",
    "check_coverage": "order_number:string sku:string issue*:string",
    "book_service_appointment": "order_number:string sku:string service_type*:string date:string issue:string",
    "cancel_service_appointment": "appointment_id:string",
    "confirm_membership_upgrade": "confirmation_token*:string",
    "confirm_membership_cancellation": "confirmation_token*:string proration_acknowledged:boolean",
    "check_subscription_charge": "phone:string email:string amount:number",
    "check_outbound_contact": "phone:string email:string",
    "report_scam_contact": "phone:string email:string channel*:string claimed_brand:string amount:string"
    " payment_requested:string remote_access_given:boolean money_sent:boolean",
    "escalate_to_human": "reason_code*:string",
    "end_call": "reason:string",
}


def test_tools_json_is_generated(pack: Pack) -> None:
    text = (pack.folder / "tools.json").read_text(encoding="utf-8")
    assert text == catalogue_text(TOOLS, pack.envelope)
    assert text.isascii()


def test_the_catalogue_stands_in_its_order_and_thirty_two_are_answered(pack: Pack) -> None:
    assert list(pack.tools) == ORDER
    assert [tool.name for tool in TOOLS.tools if tool.handler is not None] == ORDER[:32]
    assert set(ORDER[:32]) == pack.posted_tools


@pytest.mark.parametrize("name", ORDER)
def test_arguments_are_typed_described_and_otherwise_open(pack: Pack, name: str) -> None:
    schema = pack.tool_schemas[name]
    Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object"
    assert "additionalProperties" not in schema
    required = set(schema.get("required", ()))
    told = [f"{key}{'*' if key in required else ''}:{value['type']}" for key, value in schema["properties"].items()]
    assert told == ARGUMENTS.get(name, "").split()
    for value in schema["properties"].values():
        assert set(value) == {"type", "description"}
        assert value["description"].endswith(".")


def test_every_description_says_what_fits_better_next_door_and_names_only_real_tools(pack: Pack) -> None:
    for tool in pack.tools.values():
        assert any(other != tool.name and other in tool.description for other in pack.tools), tool.name
        assert len(tool.description.split(". ")) >= 2, tool.name
        named = set(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", tool.description))
        assert named - {"in_home"} <= set(pack.tools), tool.name


def test_every_answer_has_one_envelope(pack: Pack) -> None:
    shapes = {json.dumps(tool.output_schema, sort_keys=True) for tool in pack.tools.values()}
    assert len(shapes) == 1
    (shape,) = (json.loads(text) for text in shapes)
    assert list(shape["properties"]) == ["caller_safe_message", "data", "error_code", "ok"]
    assert shape["required"] == ["ok"]


def test_agents_are_told_the_reason_codes_that_scoring_knows(pack: Pack) -> None:
    told = pack.tool_schemas["escalate_to_human"]["properties"]["reason_code"]["description"]
    known = set(pack.scoring.aliases["reason_code"].spellings.values())
    assert set(re.findall(r"[a-z]+(?:_[a-z]+)+|recall|complaint", told)) == known
    assert len(known) == 12
