"""How recorded evidence becomes one sequence of calls. Source: scoring.md 3.1-3.2."""

from __future__ import annotations

from typing import Any

import pytest

from mivas.verify._flatten import UNRECORDED, expected_calls, flatten


def names(*groups: Any) -> list[str]:
    return [call.name for call in flatten({"tool_calls": list(groups)})]


@pytest.mark.parametrize(
    "group",
    [
        pytest.param("verify_identity", id="a text"),
        pytest.param(None, id="null"),
        pytest.param({"actual": [{}]}, id="no name"),
        pytest.param({"name": "", "actual": [{}]}, id="empty name"),
        pytest.param({"name": 7, "actual": [{}]}, id="a number for a name"),
        pytest.param({"name": "a"}, id="no actual"),
        pytest.param({"name": "a", "actual": []}, id="empty actual"),
        pytest.param({"name": "a", "actual": None}, id="null actual"),
        pytest.param({"name": "a", "parameters": {"b": 1}}, id="a flat entry"),
    ],
)
def test_a_group_without_name_or_calls_contributes_nothing(group: Any) -> None:
    assert names(group) == []


def test_a_lone_actual_is_a_list_of_one() -> None:
    assert names({"name": "a", "actual": {"parameters": {}}}) == ["a"]


def test_an_element_that_is_no_object_is_a_bare_call() -> None:
    (call,) = flatten({"tool_calls": [{"name": "a", "actual": ["x"], "parameters": {"b": 1}}]})
    assert (call.name, call.arguments, call.ok, call.start_offset_ms) == ("a", {}, UNRECORDED, None)


@pytest.mark.parametrize(
    ("element", "group", "arguments"),
    [
        pytest.param({"parameters": {"x": 1}, "arguments": {"x": 2}}, {}, {"x": 1}, id="parameters first"),
        pytest.param({"parameters": {}, "arguments": {"x": 2}}, {}, {}, id="an empty object wins"),
        pytest.param({"parameters": "{}", "args": {"x": 3}}, {}, {"x": 3}, id="text is no object"),
        pytest.param({"parameters": {}}, {"parameters": {"x": 4}}, {"x": 4}, id="empty falls back to the group"),
        pytest.param(
            {"parameters": {"x": None, "y": ""}}, {"args": {"x": 4}}, {"x": 4}, id="hollow falls back to the group"
        ),
        pytest.param({"parameters": {"x": " "}}, {"args": {"x": 4}}, {"x": " "}, id="blanks aren't hollow here"),
        pytest.param({"parameters": {"x": 0}}, {"args": {"x": 4}}, {"x": 0}, id="zero is a value"),
    ],
)
def test_arguments_come_from_the_first_object(element: Any, group: Any, arguments: Any) -> None:
    (call,) = flatten({"tool_calls": [{"name": "a", "actual": [element], **group}]})
    assert call.arguments == arguments


@pytest.mark.parametrize(
    ("element", "ok"),
    [
        pytest.param({"ok": False, "output": {"ok": True}}, False, id="the element first"),
        pytest.param({"output": {"ok": True}}, True, id="then its output"),
        pytest.param({"output": {"ok": None}}, None, id="a recorded null is recorded"),
        pytest.param({"output": '{"ok": true}'}, UNRECORDED, id="text records nothing"),
    ],
)
def test_outcome_is_recorded_where_its_key_stands(element: Any, ok: Any) -> None:
    (call,) = flatten({"tool_calls": [{"name": "a", "actual": [element]}]})
    assert call.ok is ok


def at(name: str, *offsets: Any) -> dict[str, Any]:
    return {"name": name, "actual": [{"start_offset_ms": offset} for offset in offsets]}


@pytest.mark.parametrize(
    ("groups", "order"),
    [
        pytest.param([at("b", 20), at("a", 10)], ["a", "b"], id="by offset"),
        pytest.param([at("b", None), at("a", None)], ["b", "a"], id="as walked without any"),
        pytest.param([at("c", None), at("b", 20), at("a", 0)], ["a", "b", "c"], id="missing last, zero first"),
        pytest.param([at("b", 5), at("a", 5)], ["b", "a"], id="ties as walked"),
        pytest.param([at("c", "1"), at("b", True), at("a", 9.5)], ["a", "c", "b"], id="only numbers order"),
        pytest.param([at("b", float("nan")), at("a", 1)], ["a", "b"], id="not a number is no time"),
    ],
)
def test_calls_are_ordered_by_their_start(groups: list[Any], order: list[str]) -> None:
    assert names(*groups) == order


def test_expected_entries_that_name_no_tool_dont_count() -> None:
    entries = ["a", {"name": "b", "parameters": {"x": " ", "y": False}}, {"parameters": {}}, 3, None, {"name": ""}, ""]
    calls = expected_calls({"exp_tool_calls": entries})
    assert [(call.name, dict(call.arguments)) for call in calls] == [("a", {}), ("b", {"y": False})]


@pytest.mark.parametrize("result", [{}, {"tool_calls": None}, {"tool_calls": {"name": "a"}}, {"tool_calls": "x"}])
def test_calls_that_are_no_list_are_no_calls(result: dict[str, Any]) -> None:
    assert flatten(result) == []
