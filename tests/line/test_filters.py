"""Silence is let through without work, and changes nothing that was heard before or is heard after it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mivas.line._filters import TelephoneBand

LENGTHS = st.lists(st.tuples(st.sampled_from(("sound", "silence")), st.integers(1, 200)), max_size=12)


@given(parts=LENGTHS, seed=st.integers(0, 99))
def test_cut_into_frames_or_whole_it_sounds_the_same(parts: list[tuple[str, int]], seed: int) -> None:
    random = np.random.default_rng(seed)
    frames = [
        (random.integers(-9000, 9000, 2 * half) if kind == "sound" else np.zeros(2 * half)).astype(np.float32)
        for kind, half in parts
    ]
    whole = np.concatenate([np.zeros(2, dtype=np.float32), *frames])
    framed, at_once = TelephoneBand(), TelephoneBand()
    narrow = np.concatenate([np.zeros(1, dtype=np.float32), *(framed.narrowed(frame) for frame in frames)])
    assert np.allclose(narrow, at_once.narrowed(whole), atol=0.05)
    wide = np.concatenate([np.zeros(2, dtype=np.float32), *(framed.widened(frame[::2]) for frame in frames)])
    halves = np.concatenate([np.zeros(1, dtype=np.float32), *(frame[::2] for frame in frames)])
    assert np.allclose(wide, at_once.widened(halves), atol=0.05)
