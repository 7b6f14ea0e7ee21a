"""Rows beside each other: what a call changed, and what belongs together in a difference."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mivas.pack import load_pack
from mivas.report.site._rows import aligned_diff, changed_rows, seed_tables

SEED = {"people": {"columns": ["id", "tags"], "rows": [[1, ["a"]], [2, []]], "not_compared": []}}
ROWS = st.lists(st.fixed_dictionaries({"id": st.integers(0, 3), "name": st.sampled_from("abc")}), max_size=5)


def test_an_untouched_state_has_no_changed_row() -> None:
    for name in ("healthcare", "legal", "customer-support"):
        seed = seed_tables(load_pack(name))
        state = {
            table: [dict(zip(one["columns"], row, strict=True)) for row in one["rows"]] for table, one in seed.items()
        }
        assert changed_rows(seed, state) == {}


def test_json_text_and_what_it_holds_are_the_same_row() -> None:
    assert changed_rows(SEED, {"people": [{"id": 1, "tags": '["a"]'}, {"id": 2, "tags": "[]"}]}) == {}


def test_a_row_that_changed_stands_on_both_sides() -> None:
    changed = changed_rows(SEED, {"people": [{"id": 1, "tags": ["b"]}, {"id": 2, "tags": []}, {"id": 2, "tags": []}]})
    assert changed == {
        "people": {"now": [{"id": 1, "tags": ["b"]}, {"id": 2, "tags": []}], "before": [{"id": 1, "tags": ["a"]}]}
    }


def test_a_column_that_is_not_compared_makes_no_row_of_a_lock_differ() -> None:
    seed = {"people": {**SEED["people"], "not_compared": ["tags"]}}
    assert changed_rows(seed, {"people": [{"id": 1}, {"id": 2}]}, as_compared=True) == {}
    assert set(changed_rows(seed, {"people": [{"id": 1}, {"id": 2}]})) == {"people"}


def test_what_is_no_table_is_passed_over() -> None:
    assert changed_rows(SEED, {"people": "gone", "others": [{"id": 9}]}) == {}


def test_rows_that_resemble_each_other_are_a_pair() -> None:
    diff: dict[str, Any] = {
        "expected_count": 2,
        "actual_count": 2,
        "only_in_expected": [{"id": 1, "day": "mon"}, {"id": 2, "day": "tue"}],
        "only_in_actual": [{"id": 2, "day": "wed"}, {"id": 9, "day": "sun"}],
    }
    assert aligned_diff(diff)["pairs"] == [
        {"expected": {"id": 1, "day": "mon"}, "actual": None, "differs": []},
        {"expected": {"id": 2, "day": "tue"}, "actual": {"id": 2, "day": "wed"}, "differs": ["day"]},
        {"expected": None, "actual": {"id": 9, "day": "sun"}, "differs": []},
    ]


@given(expected=ROWS, actual=ROWS)
def test_every_row_of_a_difference_is_shown_once(expected: list[Any], actual: list[Any]) -> None:
    pairs = aligned_diff({"only_in_expected": expected, "only_in_actual": actual})["pairs"]
    assert [pair["expected"] for pair in pairs if pair["expected"] is not None] == expected
    shown = [pair["actual"] for pair in pairs if pair["actual"] is not None]
    assert sorted(map(str, shown)) == sorted(map(str, actual))
    for pair in pairs:
        if pair["expected"] is not None and pair["actual"] is not None:
            same = [key for key in pair["expected"] if pair["expected"][key] == pair["actual"][key]]
            assert set(pair["differs"]) == set(pair["expected"]) - set(same)
