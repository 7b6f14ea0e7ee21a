"""What came through: word error, facts, turns that were cut. Source: docs/sweep.md."""

from __future__ import annotations

from typing import Any

import pytest

from mivas.line import Role, Speech
from mivas.run import heard_of, pooled_hearing

pytest.importorskip("jiwer")


def said(role: Role, text: str, heard: str | None, start_ms: int = 0, end_ms: int = 1000) -> Speech:
    return Speech(t_ms=start_ms, role=role, text=text, heard=heard, start_ms=start_ms, end_ms=end_ms)


def task(*sayings: str) -> Any:
    facts = [type("Fact", (), {"say": say}) for say in sayings]
    return type("Task", (), {"caller": type("Caller", (), {"facts": facts})})


def test_a_word_in_four_is_wrong() -> None:
    heard = heard_of([said("caller", "my kettle leaks badly", "my cattle leaks badly")], task(), "caller")
    assert pooled_hearing([heard])["word_error"] == 0.25


def test_a_fact_that_lost_one_digit_is_lost() -> None:
    events = [
        said("caller", "It is five five five, oh one four two.", "It is 555-0142."),
        said("caller", "So five five five, oh one four two.", "So 555-0143."),
    ]
    heard = heard_of(events, task("five five five, oh one four two"), "caller")
    assert (heard.facts, heard.facts_heard) == (2, 1)
    assert pooled_hearing([heard])["slot_accuracy"] == 0.5


def test_names_are_facts_and_ordinary_words_are_not() -> None:
    heard = heard_of(
        [said("caller", "Whitcomb, the usual.", "with com the usual")], task("Whitcomb", "the usual"), "caller"
    )
    assert (heard.facts, heard.facts_heard) == (1, 0)


def test_a_turn_is_cut_when_the_listener_begins_within_it() -> None:
    events = [said("caller", "one two three", "one", 0, 3000), said("agent", "yes?", "yes?", 1500, 2500)]
    assert heard_of(events, task(), "caller").cut_turns == 1
    assert heard_of(events, task(), "agent").cut_turns == 0


def test_words_that_were_passed_are_not_measured() -> None:
    heard = heard_of([said("caller", "hello", None)], task(), "caller")
    assert pooled_hearing([heard]) == {"word_error": None, "slot_accuracy": None, "cut_turns": None}
