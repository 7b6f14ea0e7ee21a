"""Sound over a socket: frames of any length in, whole frames at the line's pace out."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mivas.harness.chirp import ArrivingSound, Outgoing
from mivas.harness.chirp._outgoing import HANG_OVER_MS, KEPT_FRAMES, SpeechEdges

FRAME_MS, SAMPLES = 20, 320
SILENCE = np.zeros(SAMPLES, dtype=np.int16)


def loud(ms: int) -> np.ndarray:
    t = np.arange(ms * 16)
    return np.asarray(np.sin(t / 5) * 6_000, dtype=np.int16)


def quiet(ms: int) -> np.ndarray:
    return np.zeros(ms * 16, dtype=np.int16)


def play(sound: ArrivingSound, ms: int, start_ms: int = 0) -> np.ndarray:
    return np.concatenate([sound.next_frame(start_ms + at) for at in range(0, ms, FRAME_MS)])


def arriving(**more: Any) -> ArrivingSound:
    return ArrivingSound(**{"longest_ms": 10_000, "keep_newest": False} | more)


@given(st.lists(st.integers(min_value=0, max_value=3_000), min_size=1, max_size=12), st.booleans())
def test_all_that_arrives_is_played_once_in_order(lengths: list[int], odd: bool) -> None:
    sound, count = arriving(), sum(lengths)
    t = np.arange(count)
    sent = ((8_000 + t % 1_000) * np.where(t % 2, 1, -1)).astype(np.int16)  # loud all along: no silence to skip
    for piece in np.split(sent, np.cumsum(lengths)[:-1]):
        sound.arrive(piece.astype("<i2").tobytes() + (b"\x7f" if odd else b""))
    out = play(sound, count // 16 + 200)
    assert np.array_equal(np.trim_zeros(out), sent)
    assert sound.queued_ms == 0
    assert sound.dropped_ms == 0


def test_speech_is_told_from_silence_and_gets_its_times() -> None:
    sound = arriving()
    sound.arrive(np.concatenate([loud(600), quiet(600), loud(400), quiet(600)]).astype("<i2").tobytes())
    play(sound, 2_600)
    assert len(sound.spoken) == 2
    first, second = sound.spoken
    assert (first.text, first.complete, first.interrupted) == ("", True, False)
    assert 560 <= (first.end_ms or 0) - (first.start_ms or 0) <= 640
    assert 360 <= (second.end_ms or 0) - (second.start_ms or 0) <= 440


def test_a_click_is_no_speech_and_a_pause_within_a_sentence_no_end() -> None:
    sound = arriving()
    sound.arrive(
        np.concatenate([loud(20), quiet(800), loud(300), quiet(300), loud(300), quiet(800)]).astype("<i2").tobytes()
    )
    play(sound, 3_000)
    assert len(sound.spoken) == 1


def test_a_stream_of_silence_keeps_no_delay() -> None:
    """A peer whose clock runs faster sends a little more than is played: silence between words makes up for it."""
    sound = arriving()
    for number in range(500):
        sound.arrive(SILENCE.tobytes() * (2 if number % 20 == 0 else 1))
        sound.next_frame(number * FRAME_MS)
    assert sound.queued_ms <= 120


def test_what_does_not_fit_is_dropped_at_the_end_that_matters_less() -> None:
    first, last = loud(300), (loud(300) // 2).astype(np.int16)
    keeps_first, keeps_last = arriving(longest_ms=300), arriving(longest_ms=300, keep_newest=True)
    for sound in (keeps_first, keeps_last):
        sound.arrive(first.astype("<i2").tobytes())
        sound.arrive(last.astype("<i2").tobytes())
        assert sound.queued_ms == 300
        assert sound.dropped_ms == 300
    assert np.abs(play(keeps_first, 400)).max() > 5_900
    assert np.abs(play(keeps_last, 400)).max() < 3_100


def test_marks_fall_due_once_what_came_before_was_played() -> None:
    sound = arriving()
    sound.mark("at once")
    assert sound.due_marks() == ["at once"]
    sound.arrive(loud(200).tobytes())
    sound.mark("later")
    play(sound, 100)
    assert sound.due_marks() == []
    play(sound, 200, 100)
    assert sound.due_marks() == ["later"]
    assert sound.due_marks() == []


def test_a_flood_of_marks_is_forgotten_from_the_oldest() -> None:
    sound = arriving()
    sound.arrive(loud(100).tobytes())
    for number in range(500):
        sound.mark(str(number))
    play(sound, 300)
    assert sound.due_marks() == [str(number) for number in range(400, 500)]


def test_a_cut_drops_what_waits_and_says_whether_somebody_was_cut_off() -> None:
    speaking, done = arriving(), arriving()
    for sound in (speaking, done):
        sound.arrive(loud(400).tobytes())
    play(speaking, 200)
    cut = speaking.cut(200)
    assert cut is not None
    assert (cut.interrupted, cut.end_ms) == (True, 200)
    assert speaking.queued_ms == 0
    play(done, 480)
    assert done.cut(480) is None, "it had said everything"
    assert done.spoken[0].complete
    assert arriving().cut(0) is None


def test_a_slow_peer_loses_the_oldest_second_and_no_text() -> None:
    outgoing = Outgoing()
    outgoing.text("first")
    for number in range(KEPT_FRAMES + 10):
        outgoing.sound(np.full(SAMPLES, number, dtype=np.int16))
    outgoing.text("last")
    rest = outgoing.rest()
    assert (rest[0], rest[-1], len(rest)) == ("first", "last", KEPT_FRAMES + 2)
    assert rest[1] == np.full(SAMPLES, 10, dtype="<i2").tobytes()
    assert outgoing.rest() == []


def test_what_goes_out_keeps_its_order() -> None:
    sent: list[Any] = []

    class Socket:
        async def send(self, message: Any) -> None:
            sent.append(message)
            await asyncio.sleep(0)

    async def main() -> None:
        outgoing = Outgoing()
        work = asyncio.create_task(outgoing.send_to(Socket()))
        for number in range(5):
            outgoing.text(str(number))
            outgoing.sound(SILENCE)
            await asyncio.sleep(0)
        await asyncio.sleep(0.05)
        work.cancel()

    asyncio.run(main())
    assert [one for one in sent if isinstance(one, str)] == list("01234")
    assert len(sent) == 10


def test_speech_begins_after_two_frames_and_ends_after_a_silence() -> None:
    edges = SpeechEdges()
    for _ in range(50):
        assert not edges.changed(SILENCE)
    frames = [loud(20), loud(20), *[SILENCE] * (HANG_OVER_MS // FRAME_MS + 2)]
    changes = [number for number, frame in enumerate(frames) if edges.changed(frame)]
    assert changes == [1, 1 + HANG_OVER_MS // FRAME_MS]
    assert not edges.speaking
