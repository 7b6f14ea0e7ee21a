"""The proof of a suite as its page shows it."""

from __future__ import annotations

from mivas.report.site._soundness import soundness_values

PROBE = {
    "pack": "shop", "suite": "s-1", "cases": 3, "attainable": 3, "necessary": {"tested": 4, "held": 4},
    "saboteurs": {
        "lost-write": {
            "applicable": 2, "killed": 1, "killed_by": {"T": 1}, "survived": [{"task_id": "A", "gate": "D"}],
        },
    },
    "floors": {"nop": {"passes": 1, "task_ids": ["B"]}}, "coverage": {"error_codes": [1, 4], "nothing": [0, 0]},
    "problems": ["A: lost-write survives, D should have noticed"],
}  # fmt: skip


def test_a_saboteur_that_survives_is_named_with_the_gate_that_missed_it() -> None:
    one = soundness_values([PROBE])["probes"][0]
    assert one["saboteurs"] == [
        {"name": "lost-write", "applicable": 2, "killed": 1, "by": [1, 0, 0], "survived": ["A (D)"]}
    ]
    assert one["problems"] == PROBE["problems"]


def test_coverage_of_nothing_is_unknown() -> None:
    one = soundness_values([PROBE])["probes"][0]
    assert [(cell["kind"], cell["share"]) for cell in one["coverage"]] == [("error codes", 0.25), ("nothing", None)]


def test_the_matrix_by_case_is_shown_where_the_document_has_it() -> None:
    assert soundness_values([PROBE])["probes"][0]["matrix"] is None
    cells = {"A": {"memory": "T", "lost-write": "!D"}, "B": {"lost-write": "T"}}
    matrix = soundness_values([{**PROBE, "matrix": cells}])["probes"][0]["matrix"]
    assert matrix == {
        "heads": ["memory", "lost-write"],
        "rows": [{"case": "A", "cells": ["T", "!D"]}, {"case": "B", "cells": ["", "T"]}],
    }


def test_a_document_of_a_bare_minimum_is_enough() -> None:
    one = soundness_values([{"saboteurs": {}}])["probes"][0]
    assert (one["saboteurs"], one["floors"], one["coverage"]) == ([], [], [])
