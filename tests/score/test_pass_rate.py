"""Pass rates of one task. Source: the worked table of scoring.md section 4."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.score import pass_at_1, pass_at_k, pass_hat_k

HAT = {
    5: (1, 1, 1, 1, 1),
    4: (0.8, 0.6, 0.4, 0.2, 0),
    3: (0.6, 0.3, 0.1, 0, 0),
    2: (0.4, 0.1, 0, 0, 0),
    1: (0.2, 0, 0, 0, 0),
    0: (0, 0, 0, 0, 0),
}
AT = {5: (1, 1), 4: (1, 1), 3: (0.9, 1), 2: (0.7, 0.9), 1: (0.4, 0.6), 0: (0, 0)}


@pytest.mark.parametrize("passes", HAT)
def test_pass_hat_k_of_five_trials(passes: int) -> None:
    assert [pass_hat_k(5, passes, k) for k in range(1, 6)] == pytest.approx(HAT[passes])


@pytest.mark.parametrize("passes", AT)
def test_pass_at_k_of_five_trials(passes: int) -> None:
    assert [pass_at_k(5, passes, k) for k in (2, 3)] == pytest.approx(AT[passes])


def test_s8_pass_hat_k_is_drawn_without_replacement_not_a_power() -> None:
    assert pass_hat_k(5, 4, 5) == 0 != pytest.approx((4 / 5) ** 5)
    assert pass_hat_k(5, 3, 2) == pytest.approx(0.3) != pytest.approx((3 / 5) ** 2)


def test_too_few_trials_say_nothing() -> None:
    assert pass_hat_k(2, 2, 3) is None
    assert pass_at_k(2, 0, 3) is None
    assert pass_at_1(0, 0) is None


@pytest.mark.parametrize(("trials", "passes", "k"), [(5, 6, 1), (5, -1, 1), (5, 3, 0), (-1, 0, 1)])
def test_impossible_counts_are_refused(trials: int, passes: int, k: int) -> None:
    for rate in (pass_hat_k, pass_at_k):
        with pytest.raises(ValueError, match="need k >= 1"):
            rate(trials, passes, k)


@given(data=st.data(), trials=st.integers(1, 40))
def test_pass_hat_k_falls_and_pass_at_k_rises_with_k(data: st.DataObject, trials: int) -> None:
    passes = data.draw(st.integers(0, trials))
    hats = [pass_hat_k(trials, passes, k) for k in range(1, trials + 1)]
    ats = [pass_at_k(trials, passes, k) for k in range(1, trials + 1)]
    assert all(0 <= rate <= 1 for rate in (*hats, *ats) if rate is not None)
    assert None not in hats
    assert hats == sorted(hats, reverse=True)
    assert ats == sorted(ats)
    assert hats[0] == ats[0] == pass_at_1(trials, passes)


@given(trials=st.integers(1, 40), k=st.integers(1, 50))
def test_always_is_one_and_never_is_zero(trials: int, k: int) -> None:
    assert pass_hat_k(trials, trials, k) == (1 if k <= trials else None)
    assert pass_hat_k(trials, 0, k) == (0 if k <= trials else None)
