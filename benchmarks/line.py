"""What does a line cost? Prints processor time per frame of every preset, and writes benchmarks/results/line.json.

    .venv/bin/python benchmarks/line.py [--rounds 7]

A round carries a minute of speech-like sound, 3,000 frames of 20 ms, through one direction of a fresh channel. Noise is
made once a process; that is timed apart. Aims: 60 us a frame for `perfect`, 200 for any other preset.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from mivas.line.sound import PRESETS, Channel
from mivas.line.spoken import BUS_HZ, FRAME_SAMPLES, Pcm

HERE = Path(__file__).parent
RESULTS = HERE / "results" / "line.json"
FRAMES = 3000
AIMS_US = {"perfect": 60.0}
USUAL_AIM_US = 200.0


def speech_like() -> Pcm:
    """A buzz with syllables at about -26 dBFS, in frames: shape (3000, 320)."""
    time_s = np.arange(FRAMES * FRAME_SAMPLES) / BUS_HZ
    wave = sum(np.sin(2 * np.pi * 140 * k * time_s + k) / k**0.5 for k in range(1, 24))
    wave = wave * (0.6 + 0.4 * np.sin(2 * np.pi * 3 * time_s))
    return np.asarray(wave / wave.std() * 1640, dtype=np.int16).reshape(FRAMES, FRAME_SAMPLES)


def carried(name: str, frames: Pcm, seed: int) -> float:
    """Processor time in microseconds for a frame."""
    channel = Channel(PRESETS[name], seed)
    start_s = time.process_time()
    for frame in frames:
        channel.returning(frame)
        channel.process(frame)
    return (time.process_time() - start_s) / len(frames) * 1e6


def first_ms(name: str) -> float:
    """Processor time until the process has its first channel of that kind, noise included."""
    start_s = time.process_time()
    Channel(PRESETS[name], 0)
    return (time.process_time() - start_s) * 1e3


def spread(values: Sequence[float]) -> dict[str, float]:
    return {
        "median_us": round(statistics.median(values), 1),
        "least_us": round(min(values), 1),
        "most_us": round(max(values), 1),
    }


def machine() -> dict[str, Any]:
    revision = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False, cwd=HERE
    )
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "load_1min": round(os.getloadavg()[0], 1),
        "revision": revision.stdout.strip(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    described, frames = machine(), speech_like()
    found: dict[str, dict[str, float]] = {}
    for name in PRESETS:
        first = first_ms(name)
        carried(name, frames[:500], 0)
        found[name] = {
            **spread([carried(name, frames, seed) for seed in range(rounds)]),
            "aim_us": AIMS_US.get(name, USUAL_AIM_US),
            "first_channel_ms": round(first, 1),
        }
    document = {
        "command": f"python benchmarks/line.py --rounds {rounds}",
        "utc": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": described,
        "subject": "one direction of a line: processor time per frame of 20 ms",
        "input": {"frames": FRAMES, "sound": "speech-like, -26 dBFS"},
        "rounds": rounds,
        "found": found,
    }
    RESULTS.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    print(f"{document['subject']}; {FRAMES} frames, {rounds} rounds")
    print(f"python {described['python']}, {described['cores']} cores, load {described['load_1min']}")
    for name, one in found.items():
        print(
            f"{name:18} median {one['median_us']:6.1f} us, {one['least_us']:.1f} to {one['most_us']:.1f}"
            f" (aim {one['aim_us']:.0f}); first channel {one['first_channel_ms']:.0f} ms"
        )


if __name__ == "__main__":
    main()
