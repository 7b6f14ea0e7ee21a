"""What a line is like, as data, and the way it is written: presets and `name=value`, joined by commas.

The presets are the same in all packs (scoring.md 8.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from mivas.errors import InputError
from mivas.line._pcm import FRAME_MS

Codec: TypeAlias = Literal["ulaw", "alaw", "none"]
Noise: TypeAlias = Literal["none", "pink", "babble", "street", "hold-music"]
CODECS: tuple[Codec, ...] = ("ulaw", "alaw", "none")
NOISES: tuple[Noise, ...] = ("none", "pink", "babble", "street", "hold-music")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelCondition:
    """One direction of a line. As it stands: telephone band and G.711 µ-law, nothing else."""

    codec: Codec = "ulaw"
    """G.711 in the band of 300 to 3,400 Hz; none: packets of 16 kHz as it was said."""
    noise: Noise = "none"
    snr: float = 20.0
    """dB of speech over noise, both within the telephone band; of speech at -26 dBFS over all of its band."""
    loss: float = 0.0
    """Percent of packets that never come (Gilbert-Elliott)."""
    burst: float = 60.0
    """ms, mean length of a run of lost packets."""
    jitter: float = 0.0
    """ms by which 95 of 100 packets are at most late; those later than the buffer are lost too."""
    buffer: float = 0.0
    """ms of the jitter buffer in whole packets of 20 ms, a constant delay."""
    drift: float = 0.0
    """ppm by which the receiver's clock is fast."""
    clip: float = 0.0
    """dBFS at which the microphone clips; 0: it doesn't."""
    gain: float = 0.0
    """dB."""
    echo: float = 0.0
    """dB at which the listener's own voice comes back, below 0; 0: none."""
    echo_delay: float = 120.0
    """ms."""
    crosstalk: float = 0.0
    """dB of speech over a strange voice on the line; 0: none."""

    def without_noise(self) -> ChannelCondition:
        """The other direction: what is around the caller stays on the caller's side of the line."""
        return replace(self, noise="none", clip=0.0, gain=0.0, echo=0.0, crosstalk=0.0)


PLAIN = ChannelCondition()
USUAL_BUFFER_MS = 60.0
"""Of a jitter buffer, as in `bad_signal`."""
_RANGES: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "snr": (-20, 60),
        "loss": (0, 60),
        "burst": (20, 2000),
        "jitter": (0, 500),
        "buffer": (0, 1000),
        "drift": (-500, 500),
        "clip": (-60, 0),
        "gain": (-40, 40),
        "echo": (-80, 0),
        "echo_delay": (20, 1000),
        "crosstalk": (0, 60),
    }
)
PRESETS: Mapping[str, ChannelCondition] = MappingProxyType(
    {
        "perfect": ChannelCondition(),
        "background_noise": ChannelCondition(noise="street", snr=15),
        "bad_signal": ChannelCondition(loss=5, burst=60, jitter=30, buffer=60),
        "wideband": ChannelCondition(codec="none"),
        "office": ChannelCondition(noise="pink", snr=25),
        "cafe": ChannelCondition(noise="babble", snr=15),
        "bar": ChannelCondition(noise="babble", snr=5),
        "roadside": ChannelCondition(noise="street", snr=5),
        "on-hold": ChannelCondition(noise="hold-music", snr=15),
        "weak": ChannelCondition(loss=10, burst=80, jitter=40, buffer=80, gain=-8),
        "failing": ChannelCondition(loss=20, burst=120, jitter=60, buffer=80, noise="street", snr=10, gain=-8),
        "echoing": ChannelCondition(echo=-24, echo_delay=160),
    }
)
"""By name; the three conditions of the suites first, then steps from mild to hardly usable."""


def parse_condition(text: str) -> ChannelCondition:
    """`bad_signal`, `snr=10,noise=babble`, `background_noise,loss=5`. Raises InputError.

    What stands later counts. A signal-to-noise ratio without a noise means pink noise, jitter without a buffer one of
    60 ms.
    """
    condition = PLAIN
    named: set[str] = set()
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = (one.strip() for one in part.partition("="))
        if not equals:
            if name not in PRESETS:
                raise _wrong(f"no condition {name!r}", f"one of {', '.join(PRESETS)}, or name=value")
            condition = replace(condition, **_changed(PRESETS[name]))
            named |= _changed(PRESETS[name]).keys()
            continue
        condition = replace(condition, **{name: _value(name, value)})
        named.add(name)
    if "snr" in named and "noise" not in named:
        condition = replace(condition, noise="pink")
    if "jitter" in named and "buffer" not in named:
        condition = replace(condition, buffer=USUAL_BUFFER_MS)
    return _possible(condition)


def _possible(condition: ChannelCondition) -> ChannelCondition:
    """Raises InputError where bursts are too short for so many losses: at least one packet comes between two bursts."""
    rate = condition.loss / 100
    shortest_ms = FRAME_MS * rate / (1 - rate)
    if shortest_ms > condition.burst:
        raise _wrong(
            f"loss={condition.loss:g} can't come in bursts of {condition.burst:g} ms",
            f"give a burst of at least {shortest_ms:.0f}",
        )
    return condition


def _changed(preset: ChannelCondition) -> dict[str, Any]:
    """Everything in which the preset differs from an ordinary line."""
    values = {one.name: getattr(preset, one.name) for one in fields(preset)}
    return {name: value for name, value in values.items() if value != getattr(PLAIN, name)}


def _value(name: str, text: str) -> Any:
    words: Mapping[str, tuple[str, ...]] = {"codec": CODECS, "noise": NOISES}
    if name in words:
        if text not in words[name]:
            raise _wrong(f"{name}={text}", f"one of {', '.join(words[name])}")
        return text
    if name not in _RANGES:
        raise _wrong(f"nothing called {name!r}", f"one of {', '.join([*words, *_RANGES])}")
    low, high = _RANGES[name]
    try:
        number = float(text)
    except ValueError:
        raise _wrong(f"{name}={text} is no number", f"give one from {low:g} to {high:g}") from None
    if not low <= number <= high:
        raise _wrong(f"{name}={text} is out of range", f"give one from {low:g} to {high:g}")
    return number


def _wrong(what: str, mend: str) -> InputError:
    return InputError(what, where="--condition", mend=mend)
