"""The outline of a recording: how loud each side was, a few dozen times a second."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Any

PEAKS_PER_S = 40
_LOUDEST = 255


def peaks_of(path: Path) -> dict[str, Any] | None:
    """Outline of a two-channel recording; None where it can't be read or the extra `voice` isn't installed.

    Returns `per_s`, `duration_ms`, and for `caller` and `agent` one byte (0 silent, 255 full scale) a peak, as base64.
    """
    try:
        import numpy as np
        import soundfile
    except (ImportError, OSError):  # soundfile without its C library
        return None
    try:
        samples, rate = soundfile.read(path, dtype="int16", always_2d=True)
    except (soundfile.SoundFileError, OSError):
        return None
    size = max(1, rate // PEAKS_PER_S)
    whole = len(samples) // size
    loud = np.abs(samples[: whole * size].astype(np.int32)).reshape(whole, size, samples.shape[1]).max(axis=1)
    # The square root lets quiet speech be seen beside loud speech.
    levels = (np.sqrt(loud / 32768) * _LOUDEST).astype(np.uint8)
    sides = [b64encode(levels[:, side].tobytes()).decode() for side in range(levels.shape[1])]
    return {
        "per_s": rate / size,
        "duration_ms": round(len(samples) * 1000 / rate),
        "caller": sides[0],
        "agent": sides[-1],
    }
