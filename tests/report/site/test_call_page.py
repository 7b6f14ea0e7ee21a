"""What the page of a call says: one sentence, each expectation with what became of it, events in order."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mivas.report.site._call_page import title_of, verdict_sentence


def verdict(mark: str, **parts: Any) -> dict[str, Any]:
    return {
        "mark": mark, "tools": {"passed": True, "hit": ["a"]}, "handoff": {"passed": True, "verdict": "exact"},
        "database": {"passed": True}, "reasons": [],
    } | parts  # fmt: skip


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            verdict("pass"),
            "Passed: the expected call was made, the route was the expected one, and the database ended as locked.",
        ),
        (
            verdict("pass", tools={"passed": True, "hit": []}, database={"passed": None}),
            "Passed: no tool was asked for, the route was the expected one, and the database was not compared.",
        ),
        (
            verdict("FAIL", tools={"passed": False}, reasons=[{"text": "book was never called"}, {"text": "row 2"}]),
            "Failed by the tools gate: book was never called, and 1 more.",
        ),
        (
            verdict("FAIL", handoff={"passed": False}, database={"passed": False}, reasons=[{"text": "a"}]),
            "Failed by the route and database gates: a.",
        ),
        (verdict("VOID", void_reason="caller_lost"), "Void, it can't be scored: caller_lost."),
        ({"mark": "MISS"}, "No task for this call."),
        ({"mark": "FAIL"}, "Failed by a gate."),
    ],
)
def test_the_verdict_is_one_sentence(line: dict[str, Any], sentence: str) -> None:
    assert verdict_sentence(line) == sentence


def test_a_call_that_goes_on_has_no_verdict() -> None:
    assert verdict_sentence({"mark": "wait"}, ended=False) == "The call is going on."


def test_a_title_is_a_name_without_its_id() -> None:
    assert title_of("C1-E1: Is it: really?") == "Is it: really?"


def page_of(site: Path, value_of: Callable[[Path], Any], task: str) -> Any:
    calls = value_of(site / "data" / "index.js")["calls"]
    call = next(one for one in calls if one["task"] == task)
    return value_of(site / "data" / "calls" / call["run"] / f"{call['call']}.js")


def test_an_expectation_is_met_by_a_call_of_the_log_or_has_its_reason(
    site: Path, value_of: Callable[[Path], Any]
) -> None:
    page = page_of(site, value_of, "C1-H1")
    tools = {item["ref"]: item for item in page["items"] if item["kind"] == "tool"}
    for wanted in page["expected"]:
        if wanted["met"]:
            assert tools[wanted["met_by"]]["name"] == wanted["name"]
        else:
            assert wanted["reason"]["where"]["tool"] == wanted["name"]
    assert [wanted["name"] for wanted in page["expected"] if not wanted["met"]] == ["join_waitlist"]
    met_by = [wanted["met_by"] for wanted in page["expected"] if wanted["met"]]
    assert len(set(met_by)) == len(met_by)


def test_events_stand_in_the_order_of_the_call_and_none_is_lost(
    site: Path, value_of: Callable[[Path], Any], spoken_run: Path
) -> None:
    page = page_of(site, value_of, "C1-H1")
    log = (spoken_run / "calls" / page["call"] / "events.jsonl").read_text().splitlines()
    kinds = [json.loads(line)["type"] for line in log]
    times = [item["t_ms"] for item in page["items"]]
    assert times == sorted(times)
    assert sum(item["kind"] == "speech" for item in page["items"]) == kinds.count("speech")
    assert sum(item["kind"] == "tool" for item in page["items"]) == kinds.count("tool.started")
    assert sum(item["kind"] == "interruption" for item in page["items"]) == kinds.count("interruption") == 1


def test_a_spoken_call_has_its_sound_and_outline(site: Path, value_of: Callable[[Path], Any]) -> None:
    page = page_of(site, value_of, "C1-H1")
    assert (site / page["audio"]).read_bytes()[:4] == b"fLaC"
    assert abs(page["peaks"]["duration_ms"] - page["duration_ms"]) < 100
    assert page["interaction"]["yield_ms"] == [240]


def test_rows_a_call_changed_are_told(site: Path, value_of: Callable[[Path], Any]) -> None:
    page = page_of(site, value_of, "C2-M1")
    assert [row["id"] for row in page["changed"]["appointments"]["now"]] == [3]
    pair = page["diff"]["appointments"]["pairs"][0]
    assert "start" in pair["differs"]
