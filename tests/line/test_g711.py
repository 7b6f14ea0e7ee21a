"""G.711 against the standard's own segment rule, worked bit by bit, and its printed values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.line.sound import decode, encode

samples = st.lists(st.integers(-32768, 32767), min_size=1, max_size=400).map(lambda v: np.array(v, dtype=np.int16))


def ulaw_bit_by_bit(sample: int) -> int:
    """ITU-T G.191, ulaw_compress: 14 bits, bias 33, segment, four bits of step, all inverted."""
    absolute = ((~sample) >> 2 if sample < 0 else sample >> 2) + 33
    absolute = min(absolute, 0x1FFF)
    segment, shifted = 1, absolute >> 6
    while shifted:
        segment += 1
        shifted >>= 1
    high, low = 8 - segment, 0xF - ((absolute >> segment) & 0xF)
    code = (high << 4) | low
    return code | 0x80 if sample >= 0 else code


def alaw_bit_by_bit(sample: int) -> int:
    """ITU-T G.191, alaw_compress: 12 bits of magnitude, segment, four bits of step, every second bit inverted."""
    magnitude = (~sample) >> 4 if sample < 0 else sample >> 4
    if magnitude > 15:
        segment = 1
        while magnitude > 16 + 15:
            magnitude >>= 1
            segment += 1
        magnitude -= 16
        magnitude += segment << 4
    if sample >= 0:
        magnitude |= 0x80
    return magnitude ^ 0x55


ALL = np.arange(-32768, 32768).astype(np.int16)


def test_every_sample_has_the_code_of_the_reference_ulaw() -> None:
    assert (encode(ALL, "ulaw") == [ulaw_bit_by_bit(int(one)) for one in ALL]).all()


def test_every_sample_has_the_code_of_the_reference_alaw() -> None:
    assert (encode(ALL, "alaw") == [alaw_bit_by_bit(int(one)) for one in ALL]).all()


@pytest.mark.parametrize(
    ("law", "code", "value"),
    [
        ("ulaw", 0xFF, 0), ("ulaw", 0x80, 32124), ("ulaw", 0x00, -32124), ("ulaw", 0xEF, 132),
        ("alaw", 0xD5, 8), ("alaw", 0x55, -8), ("alaw", 0xAA, 32256), ("alaw", 0x2A, -32256),
    ],
)  # fmt: skip
def test_printed_values_of_the_standard(law: str, code: int, value: int) -> None:
    assert decode(np.array([code], dtype=np.uint8), law)[0] == value  # type: ignore[arg-type]


@pytest.mark.parametrize("law", ["ulaw", "alaw"])
def test_coding_twice_changes_nothing_more(law: str) -> None:
    codes = np.arange(256, dtype=np.uint8)
    once = decode(codes, law)  # type: ignore[arg-type]
    assert (decode(encode(once, law), law) == once).all()  # type: ignore[arg-type]


@given(samples, st.sampled_from(["ulaw", "alaw"]))
def test_no_sample_is_off_by_more_than_its_step(pcm: np.ndarray, law: str) -> None:
    back = decode(encode(pcm, law), law).astype(int)  # type: ignore[arg-type]
    error = np.abs(back - pcm.astype(int))
    assert (error <= np.maximum(np.abs(pcm.astype(int)) / 16, 16) + 4).all() or np.abs(pcm.astype(int)).max() > 32_000
