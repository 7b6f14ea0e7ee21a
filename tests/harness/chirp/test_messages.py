"""CHIRP's text frames: what is said, what is read, and what is left unread."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.harness.chirp import (
    Mark,
    SessionError,
    Spoke,
    TextBudget,
    error_message,
    mark_message,
    new_utterance_id,
    read_message,
    speech_message,
)
from mivas.harness.chirp._messages import FRAME_RATE_LIMIT, LONGEST_TEXT

NAMES = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=200)


def test_a_frame_has_the_fields_of_the_protocol() -> None:
    frame = json.loads(speech_message("speech.started", "u_1"))
    assert set(frame) == {"type", "id", "ts_ms", "data"}
    assert re.fullmatch(r"[0-9a-f-]{36}", frame["id"])
    assert isinstance(frame["ts_ms"], int)
    assert json.loads(error_message("x"))["data"] == {"code": "INTERNAL_ERROR", "message": "x"}


@given(NAMES)
def test_what_is_written_is_read(name: str) -> None:
    assert read_message(speech_message("speech.completed", name)) == Spoke(edge="speech.completed", utterance_id=name)
    assert read_message(mark_message(name)) == Mark(name=name)
    assert read_message(error_message(name)) == SessionError(code="INTERNAL_ERROR", message=name)


@given(
    st.text()
    | st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists, max_leaves=5).map(json.dumps)
)
def test_nothing_breaks_the_reader(text: str) -> None:
    assert read_message(text) is None or isinstance(read_message(text), Mark | Spoke | SessionError)


@given(
    st.dictionaries(
        st.sampled_from(["type", "data", "id"]),
        st.sampled_from(
            [
                "mark",
                "speech.started",
                "session.error",
                "other",
                None,
                1,
                [],
                {},
                {"name": 1},
                {"name": ""},
                {"utterance_id": []},
            ]
        ),
    )
)
def test_frames_of_odd_shapes_are_read_or_left(frame: dict[str, Any]) -> None:
    found = read_message(json.dumps(frame))
    if frame.get("type") in ("speech.started", "session.error"):
        assert found is not None
    else:
        assert found is None, "a mark needs a name"


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", "1", '"mark"', "[" * 60_000, "{" * (LONGEST_TEXT + 1), "\ud800"]
)
def test_what_says_nothing_is_left(text: str) -> None:
    assert read_message(text) is None


def test_speech_without_an_id_gets_one() -> None:
    first, second = (read_message('{"type": "speech.started"}') for _ in range(2))
    assert isinstance(first, Spoke)
    assert isinstance(second, Spoke)
    assert first.utterance_id != second.utterance_id
    assert re.fullmatch("u_[0-9a-f]{12}", new_utterance_id())


def test_what_a_peer_says_cannot_paint_a_terminal_or_fill_a_log() -> None:
    found = read_message(json.dumps({"type": "session.error", "data": {"code": "\x1b[31m\n", "message": "x" * 9_999}}))
    assert isinstance(found, SessionError)
    assert found.code == " [31m "
    assert len(found.message) == 200


def test_a_budget_is_for_each_second() -> None:
    budget = TextBudget()
    assert [budget.allows(7.1) for _ in range(FRAME_RATE_LIMIT + 5)].count(True) == FRAME_RATE_LIMIT
    assert not budget.allows(7.9)
    assert budget.allows(8.0)
