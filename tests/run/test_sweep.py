"""Axes of a sweep, and a sweep with a stand-in for the run."""

from __future__ import annotations

import pytest

from mivas.errors import InputError
from mivas.run import parse_axis


def test_a_range_runs_from_to_and_includes_both() -> None:
    axis = parse_axis("snr=30:0:10")
    assert axis.doses == (30.0, 20.0, 10.0, 0.0)
    assert axis.condition(20.0) == "snr=20"


def test_the_rest_of_the_line_stays_as_it_is() -> None:
    axis = parse_axis("noise=babble,loss=0:5:2.5")
    assert [axis.condition(dose) for dose in axis.doses] == [
        "noise=babble,loss=0", "noise=babble,loss=2.5", "noise=babble,loss=5"
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "snr", "snr=3", "snr=1:2", "snr=a:b:c", "snr=1:2:3,loss=1:2:3"])
def test_what_is_no_range_is_said_in_one_line(text: str) -> None:
    with pytest.raises(InputError, match="no range"):
        parse_axis(text)


def test_a_range_that_gets_nowhere_or_has_no_end_is_refused() -> None:
    with pytest.raises(InputError, match="gets nowhere"):
        parse_axis("snr=1:2:0")
    with pytest.raises(InputError, match="too many"):
        parse_axis("snr=0:1000000:1")
