"""Axes of a sweep, and a sweep with a stand-in for the run."""

from __future__ import annotations

import pytest

from mivas.cli.sweep import sweep_document
from mivas.errors import InputError
from mivas.run import Dose, parse_axis


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


def test_a_sweeps_document_has_an_interval_for_every_dose() -> None:
    heard = {"word_error": 0.1, "slot_accuracy": 0.5, "cut_turns": 0.0}
    common = {"condition": "snr=0", "run_dir": "x", "agent_hearing": heard, "caller_hearing": heard, "by_voice": {}}
    doses = (
        Dose(
            dose=30, trials=5, passes=5, scored=5, response_latency_ms=[700],
            passed={str(n): True for n in range(5)}, **common,
        ),
        Dose(
            dose=0, trials=5, passes=1, scored=4, response_latency_ms=[],
            passed={"0": True, "1": False, "2": False, "3": False}, **common,
        ),
    )  # fmt: skip
    first, second = sweep_document(parse_axis("snr=30:0:30"), doses, "reflex")["doses"]
    assert (first["pass_rate"], second["pass_rate"]) == (1.0, 0.25)
    assert first["interval"][0] < 1.0 <= first["interval"][1] + 1e-9
    assert second["lost_since_first"] == {"pairs": 4, "lost": 3, "gained": 0}
