"""Sound between voices and ears: int16, mono, 16 kHz, as on the line."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pcm: TypeAlias = NDArray[np.int16]
else:
    Pcm: TypeAlias = object

RATE_HZ = 16_000
