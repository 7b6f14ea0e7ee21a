"""How raw arguments are read."""

from __future__ import annotations

import doctest
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.industries.healthcare.handlers import _arguments
from mivas.industries.healthcare.handlers._arguments import minute_form, moment, whole_number
from mivas.pack._equality import date_time_to_minute

READABLE = [
    ("2026-08-24T09:00", "2026-08-24T09:00"),
    ("2026-08-24 09:00", "2026-08-24T09:00"),
    ("2026-08-24T09:00:59", "2026-08-24T09:00"),
    ("2026-08-24T09:00:59.999", "2026-08-24T09:00"),
    ("2026-08-24T09:00Z", "2026-08-24T09:00"),
    ("2026-08-24T23:30:00+05:30", "2026-08-24T23:30"),
    ("2026-08-24T23:30-0400", "2026-08-24T23:30"),
    ("\n2026-08-24\t", "2026-08-24T00:00"),
    ("2026-08-24Z", "2026-08-24T00:00"),
    ("2024-02-29", "2024-02-29T00:00"),
    ("0001-01-01", "0001-01-01T00:00"),
    ("9999-12-31T23:59", "9999-12-31T23:59"),
]
UNREADABLE = [
    "", " ", "Z", "tomorrow", "2026-8-24", "2026-02-29", "2026-13-01", "2026-08-32", "2026-08-24T", "2026-08-24T09",
    "2026-08-24T9:00", "2026-08-24T24:00", "2026-08-24T09:60", "2026-08-24T09:00:60", "20260824T0900", "2026-W35-1",
    "24/08/2026", "2026-08-24T09:00+25:00", "2026-08-24  09:00", "٢٠٢٦-08-24", 20260824, None, True, [], {},
]  # fmt: skip


@pytest.mark.parametrize(("text", "minute"), READABLE)
def test_an_iso_date_or_date_time_is_read_to_the_minute(text: str, minute: str) -> None:
    assert minute_form(moment(text)) == minute


@pytest.mark.parametrize("value", UNREADABLE)
def test_anything_else_is_unreadable(value: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        moment(value)


@given(st.one_of(st.text(), st.from_regex(r"[0-9]{4}-[0-1][0-9]-[0-3][0-9][T ][0-2][0-9]:[0-6][0-9](:[0-9]{2})?Z?")))
def test_a_moment_is_what_the_verifier_reads_too(text: str) -> None:
    try:
        read = minute_form(moment(text))
    except ValueError:
        read = None
    if read is None or len(text.strip().rstrip("Z")) > len("2026-08-24"):
        assert read == date_time_to_minute(text)


@given(st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 1, 1)))  # noqa: DTZ001 - local wall time
def test_the_minute_form_reads_back(value: datetime) -> None:
    assert moment(minute_form(value)) == value.replace(second=0, microsecond=0)
    assert value - moment(value.isoformat()) < timedelta(minutes=1)


@pytest.mark.parametrize("value", [True, False, None, "", " ", "1.0", "1e3", "0x1", "1_000", "①", "١", 1.5, [], {}])
def test_only_integers_and_plain_digits_are_whole_numbers(value: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        whole_number(value)


@given(st.integers())
def test_a_whole_number_reads_the_same_as_number_and_as_text(number: int) -> None:
    assert whole_number(number) == whole_number(f" {number} ") == number


def test_examples_in_docstrings_run() -> None:
    assert doctest.testmod(_arguments).failed == 0
