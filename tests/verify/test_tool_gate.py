"""T: matching expected with actual calls. Source: scoring.md 2, 3.3-3.5."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mivas.pack._scoring import ScoringFile, compile_scoring
from mivas.verify import Verdict
from mivas.verify._argument_class import is_prose

Judge = Callable[..., Verdict]
TOOL = "create_task"


def meets(judge: Judge, pack: Any, wanted: Any, live: Any, **more: Any) -> bool:
    """Whether one call with these arguments meets one expectation of the same tool."""
    tool = more.pop("tool", TOOL)
    seen = more.pop("seen", {})
    locked = more.pop("locked_call", {})
    return bool(judge(pack, expected=[(tool, wanted, locked)], actual=[(tool, live, seen)], **more).combined)


@pytest.mark.parametrize(
    ("wanted", "live", "met"),
    [
        pytest.param({"a": 1}, {"a": 1.0}, True, id="numbers by value"),
        pytest.param({"a": True}, {"a": 1}, True, id="true is one, kept on purpose"),
        pytest.param({"a": True}, {"a": "true"}, False, id="true is no text"),
        pytest.param({"a": "1"}, {"a": 1}, True, id="a number and its text"),
        pytest.param({"a": "x"}, {"a": " X "}, True, id="case and ends"),
        pytest.param({"a": "x"}, {"b": "x"}, False, id="a fact must be there"),
        pytest.param({"a": "x"}, {"a": None, "b": 1}, False, id="null is not there"),
        pytest.param({"a": {"b": 1}}, {"a": {"b": 1.0}}, True, id="objects by structure"),
        pytest.param({"a": {"b": "x"}}, {"a": {"b": "X"}}, False, id="objects by structure only"),
        pytest.param({"a": ["x", "y"]}, {"a": ["X", "Y"]}, True, id="lists element by element"),
        pytest.param({"a": ["x", "y"]}, {"a": ["y", "x"]}, False, id="lists in order"),
        pytest.param({"a": ["x"]}, {"a": ["x", "y"]}, False, id="lists of one length: longer"),
        pytest.param({"a": ["x", "y"]}, {"a": ["X"]}, False, id="lists of one length: shorter"),
        pytest.param({"a": ["x"]}, {"a": "x"}, False, id="a list is no scalar"),
        pytest.param({}, {"a": "x"}, True, id="nothing constrained"),
        pytest.param({"a": "x"}, {}, True, id="nothing sent: by name only"),
        pytest.param({"a": "x"}, {"a": " "}, True, id="only a blank sent: by name only"),
        pytest.param({"a": "x"}, {"to": "y"}, True, id="routing isn't an argument"),
        pytest.param({"a": " ", "b": []}, {"a": "x"}, True, id="empty expectations constrain nothing"),
        pytest.param({"a": 0}, {"a": False, "b": 2}, True, id="zero is a value"),
        pytest.param({"location_id": "loc_park_ave"}, {"location_id": "Park Avenue"}, True, id="office by name"),
        pytest.param({"new_location_id": "loc_park_ave"}, {"new_location_id": "park avenue"}, True, id="by ending"),
        pytest.param(
            {"location_id": "loc_park_ave"}, {"location_id": "Park Avenue office in Manhattan"}, False, id="S14"
        ),
        pytest.param({"location_ids": ["loc_park_ave"]}, {"location_ids": ["Park Avenue"] * 2}, True, id="as a set"),
        pytest.param(
            {"location_ids": [{"any_of": ["loc_park_ave", "loc_windermere"]}]},
            {"location_ids": ["windermere"]},
            True,
            id="S4: alternatives inside a set",
        ),
        pytest.param({"carrier": "bcbs"}, {"carrier": "Blue-Cross"}, True, id="carrier compacted"),
        pytest.param({"phone": "+12125550100"}, {"phone": "212 555 0100"}, True, id="S15: digits of a phone"),
        pytest.param(
            {"callback_number": "+12125550100"}, {"callback_number": "212-555-0100"}, True, id="S13: callback"
        ),
        pytest.param({"start": "2026-08-24T09:00"}, {"start": "2026-08-24T09:00:00-04:00"}, True, id="S13: minutes"),
        pytest.param({"a": {"any_of": ["x", "y"]}}, {"a": "Y"}, True, id="S4: any of"),
        pytest.param({"a": {"any_of": ["x", "y"]}}, {"a": "z"}, False, id="S4: none of"),
        pytest.param({"a": ["x", {"any_of": ["y", "z"]}]}, {"a": ["x", "z"]}, True, id="S4: inside a list"),
        pytest.param({"a": {"any_of": []}}, {"a": "x"}, False, id="S4: no alternative is met by nothing"),
        pytest.param({"notes": "x", "a": 1}, {"a": 1}, True, id="prose may be absent"),
        pytest.param({"notes": "x", "a": 1}, {"notes": "anything", "a": 1}, True, id="prose may say anything"),
        pytest.param({"notes": "x", "a": 1}, {"notes": " ", "a": 1}, False, id="S5: prose may not be blank"),
        pytest.param({"notes": "x"}, {"notes": ""}, True, id="S5: a lone blank is a hit by name"),
        pytest.param({"reason": "x", "a": 1}, {"reason": "y", "a": 1}, True, id="a reason is prose"),
    ],
)
def test_arguments_of_a_clinic(judge: Judge, wanted: Any, live: Any, met: bool) -> None:
    assert meets(judge, "clinic", wanted, live) is met


@pytest.mark.parametrize(
    ("wanted", "live", "tool", "met"),
    [
        pytest.param({"opposing_party": "Vertex Logistics"}, {"opposing_party": "Vertex"}, TOOL, False, id="S1: half"),
        pytest.param({"opposing_party": "Pellham Transit"}, {"opposing_party": "Pelham Transit"}, TOOL, True, id="S1"),
        pytest.param({"for_whom": "Daniel Okonkwo"}, {"for_whom": "Daniel Oconquo"}, TOOL, True, id="S2: sounds alike"),
        pytest.param({"for_whom": "new cases intake"}, {"for_whom": "New cases"}, TOOL, False, id="S2: a word less"),
        pytest.param({"full_name": "A B", "x": 1}, {"full_name": "C", "x": 1}, TOOL, True, id="S3: any spelling"),
        pytest.param({"full_name": "A B", "x": 1}, {"x": 1}, TOOL, False, id="S3: but it must be there"),
        pytest.param({"full_name": "A B", "x": 1}, {"full_name": " ", "x": 1}, TOOL, False, id="S3: and say something"),
        pytest.param({"reason": "A", "x": 1}, {"reason": "", "x": 1}, TOOL, True, id="a skipped key"),
        pytest.param({"state": "CA"}, {"state": "California"}, "record_intake", True, id="S13: the state's name"),
        pytest.param({"state": "CA"}, {"state": "California"}, "check", False, id="S13: but not for every tool"),
        pytest.param({"practice_area": "auto_accident"}, {"practice_area": "Car accident"}, TOOL, True, id="S13: area"),
        pytest.param({"practice_area": "tax_law"}, {"practice_area": "Tax-law"}, TOOL, True, id="S13: unknown area"),
    ],
)
def test_arguments_of_a_law_firm(judge: Judge, wanted: Any, live: Any, tool: str, met: bool) -> None:
    assert meets(judge, "law firm", wanted, live, tool=tool) is met


NAMED = {"output": {"ok": True, "data": {"order_number": "ke-4471209"}}}


@pytest.mark.parametrize(
    ("live", "seen", "met"),
    [
        pytest.param({"order_number": "4471209"}, {}, True, id="S13: digits without prefix"),
        pytest.param({"order_number": "1209"}, {}, True, id="S13: last four"),
        pytest.param({"order_number": "the fridge"}, {}, False, id="words name nothing by themselves"),
        pytest.param({"order_number": "the fridge"}, NAMED, True, id="S13: the answer names it"),
        pytest.param({"order_number": " ", "x": 1}, NAMED, True, id="S13: named though blank"),
        pytest.param({"x": 1}, NAMED, True, id="S13: named though absent"),
        pytest.param({"x": 1}, {"output": {**NAMED["output"], "ok": False}}, False, id="a refused call names nothing"),
        pytest.param({"x": 1}, {"output": {"data": {"order_number": "KE-4471209"}}}, False, id="ok must be recorded"),
        pytest.param({"x": 1}, {"output": {"ok": True, "data": {"order_number": "KE-1"}}}, False, id="another order"),
    ],
)
def test_an_order_may_be_named_by_the_answer(judge: Judge, live: Any, seen: Any, met: bool) -> None:
    assert meets(judge, "shop", {"order_number": "KE-4471209"}, live, seen=seen) is met


@pytest.mark.parametrize(
    ("wanted", "live"),
    [
        pytest.param({"service_type": "bench"}, {"service_type": "Store"}, id="S13: service by synonym"),
        pytest.param({"reason_code": "price_match"}, {"reason_code": "Price match"}, id="S13: code with spaces"),
        pytest.param({"card_last4": 540}, {"card_last4": "0540"}, id="a leading zero"),
        pytest.param({"phone": "1", "x": 1}, {"phone": "2", "x": 1}, id="a phone may be prose"),
    ],
)
def test_arguments_of_a_shop(judge: Judge, wanted: Any, live: Any) -> None:
    assert meets(judge, "shop", wanted, live)


SCHEMA = {TOOL: {"properties": {"a": {"type": "string"}, "notes": {"enum": ["x", "y"]}}}}


@pytest.mark.parametrize(
    ("wanted", "live", "met"),
    [
        pytest.param({"a": "x"}, {"a": "y", "b": 1}, False, id="declared argument"),
        pytest.param({"a": "x"}, {"b": 1}, True, id="only undeclared ones: by name"),
        pytest.param({"b": "x"}, {"b": "x", "a": 1}, False, id="an undeclared fact is never there"),
        pytest.param({"notes": "x"}, {"notes": "y"}, False, id="the schema closes it"),
    ],
)
def test_only_declared_arguments_count(judge: Judge, wanted: Any, live: Any, met: bool) -> None:
    assert meets(judge, "clinic", wanted, live, schemas=SCHEMA) is met


@pytest.mark.parametrize("schemas", [{}, {TOOL: {}}, {TOOL: {"properties": {}}}, {TOOL: {"properties": None}}])
def test_a_tool_that_declares_nothing_keeps_everything(judge: Judge, schemas: Any) -> None:
    assert not meets(judge, "clinic", {"a": "x"}, {"a": "y"}, schemas=schemas)


@pytest.mark.parametrize(
    ("locked", "seen", "met"),
    [
        pytest.param({"output": {"ok": True}}, {"output": {"ok": True}}, True, id="same"),
        pytest.param({"output": {"ok": True}}, {"output": {"ok": False}}, False, id="refused"),
        pytest.param({"output": {"ok": True}}, {}, True, id="not recorded"),
        pytest.param({"output": {"ok": True}}, {"ok": None}, False, id="recorded null"),
        pytest.param({"error_code": "NO_MATCH"}, {"error_code": "no_match"}, False, id="codes are case-sensitive"),
        pytest.param({"output": {"data": {"x": 1}}}, {"output": {"data": {"x": 2}}}, True, id="data isn't compared"),
    ],
)
def test_outcomes_are_compared_where_both_are_recorded(judge: Judge, locked: Any, seen: Any, met: bool) -> None:
    assert meets(judge, "clinic", {"a": 1}, {"a": 1}, locked_call=locked, seen=seen) is met


def test_a_hit_by_name_ignores_the_outcome(judge: Judge) -> None:
    refused = {"output": {"ok": False}}
    assert meets(judge, "clinic", {}, {"a": 1}, locked_call={"output": {"ok": True}}, seen=refused)


@pytest.mark.parametrize(
    ("key", "schema", "prose"),
    [
        pytest.param("notes", {"type": "string"}, True, id="prose list"),
        pytest.param("notes", {"enum": ["a"]}, False, id="1: enum"),
        pytest.param("notes", {"type": ["null", "integer"]}, False, id="2: number"),
        pytest.param("notes", {"format": "date"}, False, id="3: date"),
        pytest.param("notes", {"pattern": "."}, False, id="4: pattern"),
        pytest.param("notes_id", {}, False, id="5: ending"),
        pytest.param("zip", {}, False, id="6: fact list"),
        pytest.param("reason", {}, True, id="8: a reason"),
        pytest.param("anything", {}, False, id="9: otherwise a fact"),
        pytest.param("notes", {"type": {}, "format": []}, True, id="a damaged schema closes nothing"),
        pytest.param("notes", None, True, id="no schema"),
    ],
)
def test_fact_or_prose_first_rule_decides(key: str, schema: Any, prose: bool) -> None:
    scoring = compile_scoring(ScoringFile(version=1, fact_keys=("zip",), prose_keys=("notes", "notes_id")))
    assert is_prose(key, schema, scoring) is prose


def test_a_fact_by_the_packs_list_is_no_prose_even_when_it_is_a_reason() -> None:
    scoring = compile_scoring(ScoringFile(version=1, fact_keys=("reason",)))
    assert not is_prose("reason", {}, scoring)


def test_matching_is_greedy_and_one_to_one(judge: Judge) -> None:
    expected = [("find", {}), ("find", {"a": 1})]
    verdict = judge("clinic", expected=expected, actual=[("find", {"a": 1})])
    assert verdict.tools is not None
    assert (verdict.tools.hit, verdict.tools.missing, verdict.tools.score) == (("find",), ("find",), 0.5)
    greedy = judge("clinic", expected=expected, actual=[("find", {"a": 1}), ("find", {"a": 2})])
    assert greedy.combined is False


def test_calls_may_come_in_any_order_and_more_are_free(judge: Judge) -> None:
    verdict = judge("clinic", expected=["a", "b"], actual=[("c",), ("b",), ("a",), ("a",)])
    assert verdict.combined is True


def test_names_are_equal_byte_for_byte(judge: Judge) -> None:
    assert judge("clinic", expected=["find"], actual=[("Find",)]).combined is False


def test_a_forbidden_tool_fails_whatever_it_did(judge: Judge) -> None:
    refused = ("send_sms", {"x": 1}, {"output": {"ok": False}})
    verdict = judge("clinic", actual=[refused, refused])
    assert verdict.tools is not None
    assert (verdict.tools.extra, verdict.tools.passed) == (("send_sms",), False)
    assert verdict.tools.score == 1.0, "S7: nothing was expected"
    assert judge("clinic", expected=["send_sms"], actual=[refused, refused]).combined is True
    assert judge("shop", actual=[refused]).combined is True
