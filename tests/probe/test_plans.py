"""Parts that plans are made of: schema values, other values, error codes, coverage, walks of the floors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mivas.pack import ExpectedCall, load_pack, load_suite
from mivas.probe import coverage_of
from mivas.probe._error_codes import error_codes
from mivas.probe._floors import longest_walk
from mivas.probe._other_values import meets, other_value
from mivas.probe._schema_values import argument_combinations, closed_values, first_arguments, first_value

HEALTHCARE = load_pack("healthcare")


class TestSchemaValues:
    @pytest.mark.parametrize(
        ("schema", "value"),
        [
            ({"enum": ["b", "a"]}, "b"),
            ({"const": 3}, 3),
            ({"type": "boolean"}, True),
            ({"type": "integer", "minimum": 5}, 5),
            ({"type": ["null", "number"]}, 1),
            ({"type": "array", "items": {"enum": ["x", "y"]}}, ["x"]),
            ({"type": "string", "format": "date"}, "2026-08-24"),
            ({"type": "string"}, "unknown"),
            ({"anyOf": [{"type": "null"}, {"type": "boolean"}]}, True),
            ({}, "unknown"),
        ],
    )
    def test_first_values(self, schema: Any, value: Any) -> None:
        assert first_value(schema) == value

    def test_the_first_arguments_of_every_tool_fit_what_it_advertises(self) -> None:
        for name, schema in HEALTHCARE.tool_schemas.items():
            unfit = [
                key
                for key, value in first_arguments(schema).items()
                if not Draft202012Validator(schema["properties"][key]).is_valid(value)
            ]
            assert set(unfit) <= {"slot_id", "new_slot_id"}, name  # only the pack itself hands out such ids

    def test_only_the_required_ones(self) -> None:
        schema = {"properties": {"a": {"enum": [1]}, "b": {"enum": [2]}}, "required": ["b"]}
        assert first_arguments(schema, all_of_them=False) == {"b": 2}

    def test_combinations_leave_optional_arguments_out_too(self) -> None:
        schema = {
            "properties": {"a": {"enum": ["x", "y"]}, "b": {"type": "boolean"}, "c": {"type": "string"}},
            "required": ["a"],
        }
        made = list(argument_combinations(schema))
        assert len(made) == 6
        assert {"a": "y"} in made
        assert {"a": "x", "b": False} in made

    @given(st.lists(st.text(), min_size=1, unique=True))
    def test_closed_values_are_those_of_the_enum(self, values: list[str]) -> None:
        assert closed_values({"enum": values}) == values


class TestOtherValues:
    @pytest.mark.parametrize(
        ("tool", "arguments"),
        [
            ("check_plan_accepted", {"carrier": "medicare", "location_id": "windermere"}),
            ("verify_identity", {"full_name": "Ann Lee", "dob": "2024-02-29"}),
            ("book_appointment", {"start": "2026-12-31T09:00", "slot_id": "slot_loc_park_ave_9"}),
            ("find_slots", {"location_ids": ["loc_park_ave", "loc_windermere"], "max_results": 6}),
            ("cancel_appointment", {"fee_disclosed_and_accepted": True, "appointment_id": "9"}),
            ("send_sms", {"mobile_e164": "+17185550149"}),
        ],
    )
    def test_another_value_fits_the_schema_and_misses_the_lock(self, tool: str, arguments: dict[str, Any]) -> None:
        lock = ExpectedCall(name=tool, arguments=arguments)
        assert meets(HEALTHCARE, lock, arguments)
        for key in arguments:
            other = other_value(HEALTHCARE, lock, arguments, key)
            assert other is not None
            assert other != arguments[key]
            assert Draft202012Validator(HEALTHCARE.tool_schemas[tool]["properties"][key]).is_valid(other)
            assert not meets(HEALTHCARE, lock, {**arguments, key: other})

    def test_a_closed_list_of_one_has_no_other(self) -> None:
        arguments = {"template_id": "appointment_confirmation"}
        assert (
            other_value(HEALTHCARE, ExpectedCall(name="send_sms", arguments=arguments), arguments, "template_id")
            is None
        )


class TestErrorCodes:
    def test_codes_are_read_off_the_source(self, tmp_path: Path) -> None:
        (tmp_path / "a.py").write_text(
            'LATE = "TOO_LATE"\n'
            "def no(what, error_code): return Refusal(error_code, what)\n"
            'def tool(call): return Refusal("NOT_FOUND", "x"), Refusal(LATE, "x"), no("y", "NO_ITEM")\n'
            'def other(call): return no("y", error_code="NO_DATE"), Refusal(unknown, "x"), no("y")\n'
            'WORD = "NOT_A_CODE"\n',
            encoding="utf-8",
        )
        assert error_codes(tmp_path) == {"TOO_LATE", "NOT_FOUND", "NO_ITEM", "NO_DATE"}

    def test_the_codes_of_a_pack_are_found(self) -> None:
        assert {"NOT_VERIFIED", "UNKNOWN_LOCATION", "INVALID_ARGUMENTS"} <= error_codes(HEALTHCARE.folder)


class TestCoverage:
    def test_what_a_suite_touches(self, make_kiosk: Any, strong_case: Any, step: Any, tmp_path: Path) -> None:
        kiosk = make_kiosk(tmp_path / "kiosk")
        steps, calls, path = strong_case
        refused = {"call": "who", "arguments": {"name": "nobody"}, "expect": {"ok": False}}
        kiosk.add("S1-E1", [*steps[:4], refused, *steps[4:]], calls, path)
        pack = load_pack(str(kiosk.folder))
        covered = coverage_of(pack, load_suite(pack))
        assert covered["tools"].missing == ("subscribe", "send_text", "call_person", "to_front", "end_call")
        assert covered["enums"].missing == (
            "look.item=cap", "order.item=cap", "order.item=scarf", "remark.item=cap", "remark.item=scarf",
            "call_person.reason=asked", "call_person.reason=lost",
        )  # fmt: skip
        assert covered["policy_rows"].count == (1, 2)
        assert covered["edges"].touched >= {"front to_till", "till to_back"}
        assert covered["error_codes"].all == ("BROKEN", "UNKNOWN_PERSON")
        assert covered["error_codes"].missing == ("BROKEN",)
        assert covered["refusals"].touched == {"who"}


def test_the_longest_walk_visits_the_most_desks(make_graph: Any) -> None:
    graph = make_graph(front=[">dead", ">a"], dead=["x"], a=[">b", ">front"], b=[">dead"])
    assert longest_walk(graph) == ("to_a", "to_b", "to_dead")
