"""One end's mouth: pace, order, what was heard when it was cut."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mivas.line.spoken import FRAME_MS, FRAME_SAMPLES, Playout


def sound(samples: int, value: int = 7) -> np.ndarray:
    return np.full(samples, value, dtype=np.int16)


def play(playout: Playout, frames: int, start_ms: int = 0) -> np.ndarray:
    return np.concatenate([playout.next_frame(start_ms + number * FRAME_MS) for number in range(frames)])


def test_nothing_said_is_silence() -> None:
    assert not play(Playout(), 3).any()


@given(st.lists(st.integers(min_value=1, max_value=2000), min_size=1, max_size=6))
def test_all_that_is_said_comes_out_once_in_order_in_whole_frames(lengths: list[int]) -> None:
    playout = Playout()
    for number, length in enumerate(lengths, start=1):
        playout.say(f"words {number}", sound(length, number))
    out = play(playout, sum(-(-length // FRAME_SAMPLES) for length in lengths))
    assert not playout.speaking
    said = out[out != 0]
    assert list(said) == [number for number, length in enumerate(lengths, start=1) for _ in range(length)]


@given(st.lists(st.integers(min_value=0, max_value=900), min_size=1, max_size=8))
def test_pieces_that_come_one_by_one_sound_like_the_whole(pieces: list[int]) -> None:
    playout = Playout()
    utterance = playout.begin("words")
    for length in pieces:
        utterance.add(sound(length))
    utterance.complete = True
    out = play(playout, sum(pieces) // FRAME_SAMPLES + 2)
    assert int((out != 0).sum()) == sum(pieces)
    assert not playout.speaking


def test_an_utterance_knows_when_it_was_heard() -> None:
    playout = Playout()
    said = playout.say("good morning", sound(FRAME_SAMPLES * 2 + 160))
    play(playout, 2, start_ms=100)
    assert (said.start_ms, said.end_ms) == (100, None)
    play(playout, 1, start_ms=140)
    assert said.end_ms == 150


def test_barge_in_drops_what_was_not_heard_and_keeps_what_was() -> None:
    playout = Playout()
    first = playout.say("one two three four", sound(FRAME_SAMPLES * 10))
    second = playout.say("never heard", sound(FRAME_SAMPLES * 10))
    play(playout, 5)
    assert playout.cut(100) is first
    assert first.interrupted
    assert first.heard_text == "one two"
    assert first.end_ms == 100
    assert second.start_ms is None
    assert not play(playout, 30, start_ms=100).any()
    assert playout.spoken == [first]


def test_a_cut_before_the_first_sound_interrupts_nobody() -> None:
    playout = Playout()
    playout.say("too late", sound(400))
    assert playout.cut(0) is None
    assert playout.spoken == []


@given(st.text(min_size=1), st.integers(min_value=1, max_value=5000), st.integers(min_value=1, max_value=30))
def test_heard_words_are_a_beginning_of_what_was_said(text: str, samples: int, frames: int) -> None:
    playout = Playout()
    said = playout.say(text, sound(samples))
    play(playout, frames)
    playout.cut(frames * FRAME_MS)
    words = text.split()
    assert said.heard_text.split() == words[: len(said.heard_text.split())] or not said.interrupted
