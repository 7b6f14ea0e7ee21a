"""Packets on their way: whose randomness is whose, what a network's delay is, and clocks that drift."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mivas.line._packets import ClockDrift, Network
from mivas.line.sound import Channel, ChannelCondition
from mivas.line.spoken import FRAME_SAMPLES

PACKETS = 1500
WIDE = ChannelCondition(codec="none")


def random_of(seed: int) -> Any:
    return lambda part: np.random.default_rng([seed, *part.encode()])


def arrivals(condition: ChannelCondition, seed: int = 1) -> list[np.ndarray]:
    """What comes of packets 1, 2, 3, ...: each says its number in every sample."""
    network = Network(condition, 4, random_of(seed))
    return [network.carry(np.full(4, n, dtype=np.float32)) for n in range(1, PACKETS + 1)]


def lost_frames(condition: ChannelCondition, seed: int = 1) -> set[int]:
    """Frames that a channel with losses plays otherwise than the same channel without."""
    sound = np.random.default_rng(0).integers(-3000, 3000, (300, FRAME_SAMPLES)).astype(np.int16)
    channels = Channel(condition, seed), Channel(replace(condition, loss=0), seed)
    lost = set()
    for n, frame in enumerate(sound):
        for channel in channels:
            channel.returning(frame)
        with_losses, without = (channel.process(frame) for channel in channels)
        if (with_losses != without).any():
            lost.add(n)
    return lost


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"noise": "babble", "snr": 10}, id="noise"),
        pytest.param({"crosstalk": 20}, id="a strange voice"),
        pytest.param({"echo": -20}, id="echo"),
        pytest.param({"gain": 6, "clip": -20}, id="a loud microphone"),
        pytest.param({"jitter": 30}, id="jitter that the buffer takes up"),
    ],
)
def test_which_packets_are_lost_depends_on_nothing_else(other: dict[str, Any]) -> None:
    lossy = replace(WIDE, loss=20, buffer=400)
    assert len(lost_frames(lossy)) > 30
    assert lost_frames(replace(lossy, **other)) == lost_frames(lossy)
    assert lost_frames(lossy, seed=2) != lost_frames(lossy)


def test_noise_is_the_same_whatever_is_lost() -> None:
    noisy, lossy = (Channel(one, 4) for one in (replace(WIDE, noise="street"), replace(WIDE, noise="street", loss=10)))
    silence = np.zeros(FRAME_SAMPLES, dtype=np.int16)
    same = [(noisy.process(silence) == lossy.process(silence)).all() for _ in range(400)]
    assert 0.8 < np.mean(same) < 0.97


def test_a_channel_leaves_everybody_elses_randomness_alone() -> None:
    np.random.seed(5)
    before = np.random.get_state()[1].copy()  # type: ignore[index]
    channel = Channel(ChannelCondition(noise="pink", loss=10, jitter=20, buffer=40), 1)
    channel.process(np.zeros(FRAME_SAMPLES, dtype=np.int16))
    assert (np.random.get_state()[1] == before).all()  # type: ignore[index]


@pytest.mark.parametrize(("buffer_ms", "late_by"), [(0, 0), (20, 1), (50, 3), (60, 3), (200, 10)])
def test_a_buffer_delays_by_whole_packets(buffer_ms: float, late_by: int) -> None:
    heard = [packet[0] for packet in arrivals(ChannelCondition(buffer=buffer_ms))]
    assert heard == [*[0] * late_by, *range(1, PACKETS + 1 - late_by)]


def test_a_packet_later_than_the_buffer_is_lost_and_no_other() -> None:
    def missing(buffer_ms: float) -> float:
        heard = np.array([packet[0] for packet in arrivals(ChannelCondition(jitter=60, buffer=buffer_ms))])
        return 1 - len(set(heard) & set(range(1, PACKETS + 1))) / PACKETS

    assert missing(20) > missing(60) > missing(120)
    assert abs(missing(60) - 0.05) < 0.03
    assert missing(400) < 0.02


@settings(max_examples=25, deadline=None)
@given(st.floats(-500, 500).filter(lambda ppm: ppm != 0), st.integers(2, 40))
def test_a_drifting_clock_never_puts_sound_off_by_more_than_a_packet(ppm: float, samples: int) -> None:
    drift = ClockDrift(ppm * 40, samples)
    for at in range(1, 20 * samples, samples):
        sent = np.arange(at, at + samples, dtype=np.float32)
        heard = drift.exchange(sent)
        assert len(heard) == samples
        behind = sent - heard
        assert ((behind >= -1) & (behind <= 2 * samples) | (heard == 0)).all()


@pytest.mark.parametrize("ppm", [400, -400])
def test_clocks_that_are_a_packet_apart_repeat_or_drop_one(ppm: float) -> None:
    drift, minutes = ClockDrift(ppm, 160), 4
    packets = [np.arange(at, at + 160, dtype=np.float32) + 1 for at in range(0, minutes * 60 * 8000, 160)]
    heard = np.concatenate([drift.exchange(packet) for packet in packets])
    steps = np.diff(heard[160:])
    jumps = steps[np.abs(steps - 1) > 1]
    apart_samples = minutes * 60 * 8000 * abs(ppm) * 1e-6
    assert abs(len(jumps) - apart_samples / 160) <= 1
    assert abs((steps != 1).sum() - len(jumps) - apart_samples) <= len(jumps) + 2  # a dropped packet may hide one
    assert (jumps > 0).all() if ppm < 0 else (jumps < 0).all()
    assert abs(np.median(packets[-1] - heard[-160:]) - 80) <= 80


def test_losses_without_a_codec_are_losses_too() -> None:
    assert 0.03 < len(lost_frames(replace(WIDE, loss=10))) / 300 < 0.25
    assert Channel(replace(WIDE, buffer=60), 1).delay_ms == 60
