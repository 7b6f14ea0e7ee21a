"""G.711 µ-law and A-law as the telephone network uses them. Source: ITU-T G.711 (11/1988), tables 1a to 2b.

Both ways are tables built once from the segment rule; int16 in, bytes 0..255 out and back. Digital silence and the
14-bit (µ) and 13-bit (A) inputs are taken from the upper bits of 16.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mivas.line._pcm import Pcm

Law: TypeAlias = Literal["ulaw", "alaw"]
ULAW_BIAS = 132
"""In 16-bit units: 33 of 14 bits."""


def encode(pcm: Pcm, law: Law) -> NDArray[np.uint8]:
    """One byte a sample."""
    return _encoding(law)[pcm.view(np.uint16)]


def decode(codes: NDArray[np.uint8], law: Law) -> Pcm:
    """One sample a byte."""
    return _decoding(law)[codes]


@cache
def _decoding(law: Law) -> Pcm:
    codes = np.arange(256)
    if law == "ulaw":
        flipped = ~codes & 0xFF
        magnitude = ((((flipped & 0x0F) << 3) + ULAW_BIAS) << ((flipped & 0x70) >> 4)) - ULAW_BIAS
        values = np.where(flipped & 0x80, -magnitude, magnitude)
    else:
        flipped = codes ^ 0x55
        segment, step = (flipped & 0x70) >> 4, (flipped & 0x0F) << 4
        magnitude = np.where(segment == 0, step + 8, (step + 0x108) << np.maximum(segment - 1, 0))
        values = np.where(flipped & 0x80, magnitude, -magnitude)
    table = values.astype(np.int16)
    table.setflags(write=False)
    return table


@cache
def _encoding(law: Law) -> NDArray[np.uint8]:
    """Code of every 16-bit pattern, index by its unsigned value."""
    samples = np.arange(65_536, dtype=np.uint16).view(np.int16).astype(np.int32)
    codes = _ulaw_codes(samples) if law == "ulaw" else _alaw_codes(samples)
    table = codes.astype(np.uint8)
    table.setflags(write=False)
    return table


def _ulaw_codes(samples: NDArray[np.int32]) -> NDArray[np.int32]:
    # 14 bits; of a negative sample the one's complement (ITU-T G.191, ulaw_compress).
    magnitude = np.minimum((np.where(samples < 0, ~samples, samples) >> 2) + (ULAW_BIAS >> 2), 0x1FFF)
    segment = np.floor(np.log2(magnitude)).astype(np.int32) - 5
    code = (segment << 4) | ((magnitude >> (segment + 1)) & 0x0F)
    sign = np.where(samples < 0, 0x80, 0)
    return np.asarray(~(code | sign) & 0xFF, dtype=np.int32)


def _alaw_codes(samples: NDArray[np.int32]) -> NDArray[np.int32]:
    # 13 bits; of a negative sample the one's complement, so that -1 and 0 are neighbours (G.711 table 1a).
    shifted = samples >> 3
    magnitude = np.where(shifted < 0, ~shifted, shifted)
    segment = np.maximum(np.floor(np.log2(np.maximum(magnitude, 1))).astype(np.int32) - 4, 0)
    step = np.where(segment < 2, magnitude >> 1, magnitude >> np.maximum(segment, 1))
    code = (segment << 4) | (step & 0x0F)
    return np.asarray((code | np.where(samples >= 0, 0x80, 0)) ^ 0x55, dtype=np.int32)
