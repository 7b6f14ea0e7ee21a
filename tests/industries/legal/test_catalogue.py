"""What agents are told: generated, described, and the same names as in tables, prompts and scoring."""

from __future__ import annotations

import json
import re
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from mivas.industries.legal.handlers import _policy
from mivas.industries.legal.tools import TOOLS
from mivas.pack import Pack
from mivas.state import catalogue_text

# Argument, whether it's required, and what kind of value it takes.
ARGUMENTS = {
    "lookup_caller": {"full_name": "string", "phone": "string"},
    "get_caller_matters": {},
    "take_message": {"for_whom": "string", "message": "string"},
    "check_conflict": {"opposing_party": "string"},
    "check_practice_area": {"practice_area": "area"},
    "check_jurisdiction": {"state": "string", "practice_area": "area"},
    "calculate_filing_deadline": {"state": "string", "practice_area": "area", "incident_date": "string"},
    "record_intake": {"practice_area": "area", "state": "string", "incident_date": "date", "summary": "string"},
    "add_intake_note": {"note": "string"},
    "send_intake_packet": {"channel": "channel"},
    "request_records_authorization": {"provider": "string"},
    "get_attorney": {"attorney_id": "string"},
    "find_evaluation_slots": {"practice_area": "area", "state": "string", "earliest_date": "string"},
    "hold_evaluation": {"slot_id": "string", "practice_area": "area"},
    "confirm_evaluation": {"confirmation_token": "string"},
    "hold_cancellation": {"evaluation_id": "string", "reason": "cancellation"},
    "confirm_cancellation": {"confirmation_token": "string"},
    "get_case_status": {"matter_id": "string"},
    "escalate_to_human": {"reason_code": "reason"},
    "end_call": {"reason": "string"},
    "transfer_to_screening": {"handoff_summary": "string"},
    "transfer_to_client_services": {"handoff_summary": "string"},
    "transfer_to_intake": {"contact_details_only": "boolean", "handoff_summary": "string"},
    "transfer_to_scheduling": {"handoff_summary": "string"},
}
CHOICES = {
    "area": get_args(_policy.PracticeArea),
    "channel": get_args(_policy.PacketChannel),
    "cancellation": get_args(_policy.CancellationReason),
    "reason": get_args(_policy.ReasonCode),
}


def test_tools_json_is_generated(pack: Pack) -> None:
    text = (pack.folder / "tools.json").read_text(encoding="utf-8")
    assert text == catalogue_text(TOOLS, pack.envelope)
    assert text.isascii()


def test_nineteen_tools_are_answered_and_five_only_advertised(pack: Pack) -> None:
    answered = {tool.name for tool in TOOLS.tools if tool.handler is not None}
    assert answered == pack.posted_tools
    assert set(pack.tools) - answered == pack.scoring.transfer_set | {"end_call"}
    assert list(pack.tools) == list(ARGUMENTS)


@pytest.mark.parametrize("tool", ARGUMENTS)
def test_every_argument_is_required_described_and_of_its_kind(pack: Pack, tool: str) -> None:
    schema: Any = pack.tool_schemas[tool]
    Draft202012Validator.check_schema(schema)
    assert schema.get("required", []) == list(ARGUMENTS[tool])
    assert "additionalProperties" not in schema, "the service ignores what it doesn't know"
    for (key, kind), (name, declared) in zip(ARGUMENTS[tool].items(), schema["properties"].items(), strict=True):
        assert key == name
        assert declared.pop("description").endswith(".")
        if kind in CHOICES:
            assert declared == {"type": "string", "enum": list(CHOICES[kind])}
        else:
            assert declared == {"date": {"type": "string", "format": "date"}}.get(kind, {"type": kind})


def test_nothing_refers_elsewhere(pack: Pack) -> None:
    assert '"$ref"' not in json.dumps([dict(schema) for schema in pack.tool_schemas.values()])


def test_every_description_says_what_fits_better_next_door(pack: Pack) -> None:
    for tool in pack.tools.values():
        assert {other for other in pack.tools if other != tool.name and other in tool.description}, tool.name
        assert len(tool.description.split(". ")) >= 2, tool.name
        named = set(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", tool.description))
        assert named <= set(pack.tools), tool.name


def test_kinds_of_case_are_those_of_rows_and_aliases(desk: Any, pack: Pack) -> None:
    codes = {row["code"] for row in desk.look("SELECT code FROM practice_areas")}
    assert codes == set(get_args(_policy.PracticeArea)) == set(pack.scoring.aliases["practice_area"].spellings.values())


def test_licensed_states_are_spellings_that_an_intake_takes(desk: Any, pack: Pack) -> None:
    states = {row["state"] for row in desk.look("SELECT state FROM jurisdictions")}
    assert states <= set(pack.scoring.aliases["state"].spellings.values())
