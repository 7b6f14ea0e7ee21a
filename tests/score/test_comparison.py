"""Paired comparison of two runs. Source: docs/statistics.md, scoring.md section 4."""

from __future__ import annotations

import copy
import doctest
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mivas.errors import InputError
from mivas.score import Change, Comparison, RunRows, check_comparable, compare, differing_conditions, pass_hat_k

Marks = dict[str, list[str]]


def rows(marks: Marks, pack: str = "p") -> list[dict[str, Any]]:
    return [
        {"pack": pack, "task_id": task, "trial": trial, "mark": mark, "suite": "s-1", "suite_hash": "h",
         "verifier_revision": "v"}
        for task, own in marks.items()
        for trial, mark in enumerate(own)
    ]  # fmt: skip


def of_passes(passes: list[int], trials: int = 5, prefix: str = "t") -> Marks:
    return {f"{prefix}{at}": ["pass"] * own + ["FAIL"] * (trials - own) for at, own in enumerate(passes)}


def compared(a: Marks, b: Marks, k: int = 5, seed: int = 0) -> Comparison:
    return compare(rows(a), rows(b), k=k, rng=np.random.default_rng(seed))


SIDES = st.integers(1, 16).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 5), min_size=n, max_size=n) for _ in "ab"])
)


@settings(max_examples=25, deadline=None)
@given(sides=SIDES)
def test_b_against_a_is_a_against_b_negated(sides: tuple[list[int], list[int]]) -> None:
    a, b = (of_passes(side) for side in sides)
    forth, back = compared(a, b).overall, compared(b, a).overall
    for here, there in ((forth.pass_at_1, back.pass_at_1), (forth.pass_hat_k, back.pass_hat_k)):
        assert here.difference == pytest.approx(-(there.difference or 0), abs=1e-12)
        assert here.p == there.p
        assert here.detectable == there.detectable
        if here.interval is None:
            assert there.interval is None
            continue
        assert there.interval is not None
        assert (here.interval.low, here.interval.high) == pytest.approx((-there.interval.high, -there.interval.low))
        assert here.interval.low <= (here.difference or 0) <= here.interval.high


@settings(max_examples=15, deadline=None)
@given(passes=st.lists(st.integers(0, 5), min_size=1, max_size=30))
def test_a_run_is_indistinguishable_from_itself(passes: list[int]) -> None:
    marks = of_passes(passes)
    for change in (compared(marks, marks).overall.pass_at_1, compared(marks, marks).overall.pass_hat_k):
        assert (change.difference, change.p, change.interval) == (0, 1, None)
        assert change.sentence.startswith("Indistinguishable at this k")


def test_the_same_seed_gives_the_same_figures() -> None:
    a, b = of_passes([1, 2, 3, 4, 5, 0] * 5), of_passes([2, 3, 3, 4, 5, 1] * 5)
    assert compared(a, b) == compared(a, b)


def test_p_counts_sign_flips_by_task() -> None:
    a, b = [1, 2, 0, 3, 4, 5, 2], [3, 2, 2, 5, 5, 4, 5]
    seen = sum(b) - sum(a)
    swaps = [
        sum(sign * (of_b - of_a) for sign, of_a, of_b in zip(signs, a, b, strict=True))
        for signs in product((1, -1), repeat=len(a))
    ]
    one_sided = sum(swapped >= seen for swapped in swaps) / len(swaps)
    change = compared(of_passes(a), of_passes(b)).overall.pass_at_1
    assert change.p == pytest.approx(2 * one_sided)


def test_trials_of_a_task_are_one_unit_not_many() -> None:
    # 5 against 0 on one task, in 50 trials: a test of trials would call it proof.
    change = compared({"t": ["pass"] * 50}, {"t": ["FAIL"] * 50}).overall.pass_at_1
    assert (change.difference, change.p, change.tasks) == (-1, 1, 1)
    assert change.sentence == "Indistinguishable at this k: 5 trials of 1 task can't show any difference."


def test_a_clear_difference_is_told() -> None:
    change = compared(of_passes([1] * 72), of_passes([4, 5] * 36)).overall.pass_at_1
    assert change.sentence == "B is better, by 70.0 points."
    assert change.p is not None
    assert change.p < 0.001


def test_pass_hat_k_needs_k_trials_on_both_sides() -> None:
    change = compared({"x": ["pass"] * 3, "y": ["pass"] * 2}, {"x": ["pass", "pass", "FAIL"], "y": ["pass"] * 3}, k=3)
    hat = change.overall.pass_hat_k
    assert (hat.tasks, hat.a, hat.b) == (1, pass_hat_k(3, 3, 3), pass_hat_k(3, 2, 3))
    assert change.overall.pass_at_1.tasks == 2


def test_missing_tasks_are_told_and_left_out() -> None:
    result = compared({"x": ["pass"], "only": ["FAIL"], "v": ["VOID"]}, {"x": ["FAIL"], "new": ["pass"], "v": ["pass"]})
    assert (result.only_in_a, result.only_in_b, result.unscored) == (("p/only",), ("p/new",), ("p/v",))
    assert (result.overall.pass_at_1.a, result.overall.pass_at_1.b) == (1, 0)


def test_nothing_in_common_is_unknown_not_zero() -> None:
    change: Change = compared({"x": ["VOID"]}, {"x": ["pass"]}).overall.pass_at_1
    assert (change.a, change.b, change.difference, change.p, change.interval) == (None,) * 5
    assert change.sentence.startswith("Unknown")


def test_packs_are_compared_apart_and_together() -> None:
    a = rows(of_passes([5] * 8), "one") + rows(of_passes([0] * 8), "two")
    b = rows(of_passes([0] * 8), "one") + rows(of_passes([0] * 8), "two")
    result = compare(a, b, k=5, rng=np.random.default_rng(0))
    assert [change.pass_at_1.difference for change in result.packs.values()] == [-1, 0]
    assert result.overall.pass_at_1.difference == -0.5
    assert result.overall.pass_at_1.tasks == 16


def test_where_hardly_a_task_differs_the_worst_case_says_what_would_show() -> None:
    base = [3] * 72
    few, many = [*base[:-2], 4, 4], [3, 4] * 36
    assert compared(of_passes(base), of_passes(few)).overall.pass_at_1.detectable.basis == "worst case"  # type: ignore[union-attr]
    assert compared(of_passes(base), of_passes(many)).overall.pass_at_1.detectable.basis == "observed"  # type: ignore[union-attr]


def test_one_false_alarm_in_twenty_at_most() -> None:
    chance = np.random.default_rng(3)
    alarms, rounds = 0, 100
    for _ in range(rounds):
        rates = chance.beta(0.8, 0.8, size=10)
        a, b = (of_passes(list(map(int, chance.binomial(3, rates))), 3) for _ in "ab")
        alarms += "better" in compare(rows(a), rows(b), k=3, rng=chance).overall.pass_at_1.sentence
    assert alarms / rounds <= 0.09


MANIFEST: dict[str, Any] = {
    "packs": {"p": {"pack_version": "1.0.0", "suite": "s-1", "hashes": dict.fromkeys(
        ("prompts", "tools", "lockfile", "scoring", "seed"), "x")}},
    "harness": {"name": "oracle", "revision": "1", "models": []},
    "caller": {"name": "program", "approximate": False},
    "tier": "text",
    "trials": 5,
}  # fmt: skip


def side(name: str, **row: Any) -> RunRows:
    own = [one | row for one in rows(of_passes([5]))]
    return RunRows(name=name, manifest=copy.deepcopy(MANIFEST), rows=own)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda b: b.manifest["packs"]["p"].update(suite="s-2"), "A: p: suite s-1 here, s-2 in B"),
        (lambda b: b.manifest["packs"]["p"].update(pack_version="1.1.0"), "pack version 1.0.0 here, 1.1.0 in B"),
        (lambda b: b.manifest["packs"]["p"]["hashes"].update(lockfile="y"), "lockfile hash x here, y in B"),
        (lambda b: b.manifest["packs"]["p"]["hashes"].update(prompts="y"), "prompts hash x here, y in B"),
        (lambda b: b.manifest["packs"]["p"]["hashes"].update(scoring="y"), "scoring hash .* `mivas rescore RUN`"),
        (lambda b: [row.update(suite_hash="z") for row in b.rows], "suite hash h here, z in B"),
        (lambda b: [row.update(verifier_revision="w") for row in b.rows], "revision v here, w in B; .*rescore"),
        (lambda b: b.manifest["packs"].update(q=b.manifest["packs"].pop("p")), "A: share no pack with B"),
        (lambda b: b.manifest.update(packs=None), "B: names no packs in run.json"),
    ],
)
def test_runs_that_measure_another_thing_are_refused(change: Any, told: str) -> None:
    a, b = side("A"), side("B")
    change(b)
    with pytest.raises(InputError, match=told):
        check_comparable(a, b)


def test_a_run_judged_by_two_verifiers_is_refused() -> None:
    a, b = side("A"), side("B")
    for one in (a, b):
        one.rows[0]["verifier_revision"] = "older"  # type: ignore[index]
    with pytest.raises(InputError, match=r"A: verdicts of several verifier revisions \(older, v\)"):
        check_comparable(a, b)


def test_like_runs_are_comparable_and_their_other_differences_listed() -> None:
    a, b = side("A"), side("B")
    check_comparable(a, b)
    assert differing_conditions(a, b) == ()
    b.manifest["caller"]["approximate"] = True
    b.manifest["harness"]["name"] = "nop"
    b.manifest["tier"] = "acoustic"  # type: ignore[index]
    assert [(one.field, one.a, one.b) for one in differing_conditions(a, b)] == [
        ("harness.name", "oracle", "nop"),
        ("caller.approximate", False, True),
        ("tier", "text", "acoustic"),
    ]


def test_the_page_on_statistics_tells_what_the_code_does() -> None:
    page = Path(__file__).parents[2] / "docs" / "statistics.md"
    assert doctest.testfile(str(page), module_relative=False).failed == 0
