"""The corpus' own form: whole, balanced, and labelled in known words. It measures nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mivas.caller import OFFERS, QUESTIONS, STATEMENTS

HERE = Path(__file__).parent
HALVED = ("questions.jsonl", "offers.jsonl", "negatives.jsonl", "turns.jsonl")
FILES = (*HALVED, "turns_development.jsonl", "turns_validation.jsonl")
HALVES = {"development", "test", "validation"}

KNOWN = {"questions": set(QUESTIONS), "offers": set(OFFERS)}
"""Which ids a label may have."""

RARE_IN_TURNS = frozenset({"email", "repair", "return_label", "upgrade"})
"""Measured by their own wordings; one half or both have no whole turn with them."""

Row = dict[str, Any]


def rows_of(name: str) -> list[Row]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


def every_row() -> Iterator[tuple[str, Row]]:
    for name in FILES:
        for row in rows_of(name):
            yield name, row


def group_of(row: Row) -> str:
    """The id without its number."""
    return str(row["id"]).rpartition("-")[0]


@pytest.mark.parametrize("name", HALVED)
def test_position_decides_the_half(name: str) -> None:
    for row in rows_of(name):
        number = int(row["id"].rpartition("-")[2])
        assert row["half"] == ("development" if number % 2 else "test"), row["id"]


def test_turns_that_came_later_are_for_development() -> None:
    assert {row["half"] for row in rows_of("turns_development.jsonl")} == {"development"}


def test_no_model_learns_from_the_turns_that_rules_are_held_against() -> None:
    assert {row["half"] for row in rows_of("turns_validation.jsonl")} == {"validation"}


def test_ids_and_texts_are_unique() -> None:
    rows = [row for _, row in every_row()]
    assert [key for key, n in Counter(row["id"] for row in rows).items() if n > 1] == []
    texts = Counter(" ".join(row["text"].lower().split()) for row in rows)
    assert [text for text, n in texts.items() if n > 1] == []


@pytest.mark.parametrize(
    ("name", "kind", "prefix"), [("questions.jsonl", "questions", "q"), ("offers.jsonl", "offers", "o")]
)
def test_every_id_has_its_wordings_in_both_halves(name: str, kind: str, prefix: str) -> None:
    groups: dict[str, list[Row]] = {}
    for row in rows_of(name):
        groups.setdefault(group_of(row), []).append(row)
    assert set(groups) == {f"{prefix}-{key.replace('_', '-')}" for key in KNOWN[kind]}
    for key in KNOWN[kind]:
        rows = groups[f"{prefix}-{key.replace('_', '-')}"]
        halves = Counter(row["half"] for row in rows)
        assert len(rows) >= 20, key
        assert abs(halves["development"] - halves["test"]) <= 1, key
        assert all(key in row["heard"][kind] for row in rows), key


def test_negatives_ask_and_offer_nothing() -> None:
    rows = rows_of("negatives.jsonl")
    assert len(rows) >= 80
    assert {row["kind"] for row in rows} == {"denial", "lookup", "statement", "policy", "noise"}
    assert all(row["heard"] == {"questions": [], "offers": []} for row in rows)


def test_labels_are_known() -> None:
    for _, row in every_row():
        for kind, known in KNOWN.items():
            heard = row["heard"][kind]
            allowed = row.get("allowed", {}).get(kind, [])
            assert set(heard) <= known, row["id"]
            assert set(allowed) <= known, row["id"]
            assert len(set(heard)) == len(heard), row["id"]
            assert not set(heard) & set(allowed), row["id"]


@pytest.mark.parametrize(
    "row", [*rows_of("turns.jsonl"), *rows_of("turns_development.jsonl")], ids=lambda row: row["id"]
)
def test_turn_and_reply_belong_together(row: Row) -> None:
    facts = {fact["id"]: fact for fact in row["caller"]["facts"]}
    refuses = row["caller"]["refuses"]
    heard, reply, allowed = row["heard"], row["reply"], row.get("allowed", {})
    assert len(facts) == len(row["caller"]["facts"])
    assert set(refuses) <= KNOWN["offers"]
    for fact in facts.values():
        assert fact["value"]
        assert fact["say"]
        assert set(fact["answers"]) <= KNOWN["questions"]

    values = {value["id"]: value["polarity"] for value in heard["values"]}
    assert set(values) | set(allowed.get("values", [])) <= set(STATEMENTS) | set(facts)
    assert set(values.values()) <= {"yes", "no"}
    assert {polarity for key, polarity in values.items() if key in facts} <= {"yes"}

    read = {back["fact"]: back["right"] for back in heard["read_backs"]}
    assert len(read) == len(heard["read_backs"])
    assert set(read) | set(allowed.get("read_backs", [])) <= set(facts)
    assert not set(read) & set(values)
    assert all(back["said"] for back in heard["read_backs"])

    assert reply["corrects"] == [key for key, right in read.items() if not right]
    assert reply["confirms"] == (all(read.values()) if read else None)
    assert reply["refuses"] == [offer for offer in heard["offers"] if offer in refuses]
    assert not set(reply["facts"]) & set(read)
    for key in reply["facts"]:
        assert set(facts[key]["answers"]) & set(heard["questions"]), key


def test_turns_hold_several_acts_in_both_halves() -> None:
    rows = rows_of("turns.jsonl")

    def acts(row: Row) -> int:
        return sum(len(part) for part in row["heard"].values())

    assert len(rows) >= 150
    for half in HALVES - {"validation"}:
        mine = [row for row in rows if row["half"] == half]
        assert sum(acts(row) > 1 for row in mine) >= 75
        assert sum(row["reply"]["confirms"] is True for row in mine) >= 15
        assert sum(row["reply"]["confirms"] is False for row in mine) >= 15
        assert sum(bool(row["reply"]["refuses"]) for row in mine) >= 10
        assert sum(acts(row) == 0 for row in mine) >= 5
        assert {key for row in mine for key in row["heard"]["questions"]} >= set(QUESTIONS) - RARE_IN_TURNS
        assert {key for row in mine for key in row["heard"]["offers"]} >= set(OFFERS) - RARE_IN_TURNS
