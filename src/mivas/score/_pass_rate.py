"""Pass rates of one task from its trials. Source: scoring.md section 4; arXiv 2406.12045."""

from __future__ import annotations

from math import comb


def pass_at_1(trials: int, passes: int) -> float | None:
    """Share of scored trials that passed; None when there is none.

    Args:
        trials: trials marked pass or FAIL; VOID, MISS and wait don't count.
        passes: how many of them passed, 0..trials.
    Raises: ValueError: passes outside 0..trials.
    >>> pass_at_1(5, 3)
    0.6
    """
    _check(trials, passes, 1)
    return passes / trials if trials else None


def pass_hat_k(trials: int, passes: int, k: int) -> float | None:
    """Chance that k trials drawn without replacement all pass: C(passes, k) / C(trials, k).

    Args:
        trials: trials marked pass or FAIL; VOID, MISS and wait don't count.
        passes: how many of them passed, 0..trials.
        k: trials drawn, 1 or more.
    Returns: 0..1; None with fewer than k trials: nothing is known then, and (passes/trials)^k would be biased.
    Raises: ValueError: k < 1, or passes outside 0..trials.
    >>> pass_hat_k(5, 4, 2)
    0.6
    """
    _check(trials, passes, k)
    return comb(passes, k) / comb(trials, k) if trials >= k else None


def pass_at_k(trials: int, passes: int, k: int) -> float | None:
    """Chance that at least one of k trials drawn without replacement passes; for comparison with other benchmarks only.

    Arguments, None and errors as in `pass_hat_k`.
    >>> pass_at_k(5, 3, 2)
    0.9
    """
    _check(trials, passes, k)
    drawn = comb(trials, k)
    return (drawn - comb(trials - passes, k)) / drawn if drawn else None


def _check(trials: int, passes: int, k: int) -> None:
    if k < 1 or not 0 <= passes <= trials:
        raise ValueError(f"need k >= 1 and 0 <= passes <= trials, got {k=}, {passes=}, {trials=}")
