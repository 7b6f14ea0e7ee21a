"""What a line does, measured on what comes out: noise, loss, bursts, delay, echo; and whose randomness is whose."""

from __future__ import annotations

import re
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.signal import butter, sosfilt

from mivas.errors import InputError
from mivas.line._channel import SPEECH_DBFS
from mivas.line._filters import TelephoneBand
from mivas.line._packets import BurstLoss, Jitter
from mivas.line.sound import PRESETS, Channel, ChannelCondition, parse_condition
from mivas.line.spoken import BUS_HZ, FRAME_SAMPLES, Pcm
from mivas.speech import CALLER_VOICES, WeightsMissing, load_voice

QUIET = np.zeros(FRAME_SAMPLES, dtype=np.int16)


def voice(seconds: float) -> Pcm:
    """Speech-like, at -29 dBFS, all of it within the telephone band."""
    t = np.arange(int(BUS_HZ * seconds)) / BUS_HZ
    wave = sum(np.sin(2 * np.pi * 140 * k * t + k) / k**0.5 for k in range(3, 22)) * (
        0.6 + 0.4 * np.sin(2 * np.pi * 3 * t)
    )
    return np.asarray(wave / np.sqrt(np.mean(wave**2)) * 10 ** (-29 / 20) * 32768, dtype=np.int16)


def carried(condition: ChannelCondition, pcm: Pcm, seed: int = 1) -> Pcm:
    channel = Channel(condition, seed)
    frames = [channel.process(pcm[at : at + FRAME_SAMPLES]) for at in range(0, len(pcm), FRAME_SAMPLES)]
    return np.concatenate(frames)


def power_in_band(pcm: Pcm) -> float:
    sections = butter(6, [350, 3300], "bandpass", fs=BUS_HZ, output="sos")
    return float(np.mean(sosfilt(sections, pcm.astype(float))[BUS_HZ // 4 :] ** 2))


@pytest.mark.parametrize("noise", ["pink", "babble", "street", "hold-music"])
@pytest.mark.parametrize("snr", [20.0, 10.0, 0.0])
def test_the_signal_to_noise_ratio_is_the_one_asked_for(noise: str, snr: float) -> None:
    condition = replace(ChannelCondition(), noise=noise, snr=snr)  # type: ignore[arg-type]
    noise_power = power_in_band(carried(condition, np.zeros(BUS_HZ * 20, dtype=np.int16)))
    speech_power = power_in_band(carried(ChannelCondition(), voice(20)))
    assert abs(10 * np.log10(speech_power / noise_power) - snr) < 1.5


@pytest.mark.parametrize("distance_db", [10.0, 20.0])
def test_a_strange_voice_is_as_far_below_as_it_should_be(distance_db: float) -> None:
    strange = power_in_band(carried(ChannelCondition(crosstalk=distance_db), np.zeros(BUS_HZ * 20, dtype=np.int16)))
    speech = power_in_band(carried(ChannelCondition(), voice(20)))
    assert abs(10 * np.log10(speech / strange) - distance_db) < 1.5


def test_signal_to_noise_ratios_hold_for_the_callers_voices() -> None:
    """Within 3.5 dB for every voice, within 1 dB on average: what a telephone leaves of them is as loud as assumed."""
    levels_db = []
    try:
        voices = [load_voice(name) for name in CALLER_VOICES]
    except WeightsMissing:
        pytest.skip("voices aren't installed")
    for one in voices:
        said = one.speak("The tracking page says that it was left at twelve Oak Street in Windermere.", 0)
        heard = carried(ChannelCondition(), said[: len(said) // FRAME_SAMPLES * FRAME_SAMPLES])
        powers = (heard.reshape(-1, FRAME_SAMPLES).astype(float) ** 2).mean(axis=1)
        levels_db.append(10 * np.log10(powers[powers > powers.max() / 3000].mean() / 32768**2) - SPEECH_DBFS)
    assert max(map(abs, levels_db)) < 3.5
    assert abs(np.mean(levels_db)) < 1


def test_a_telephone_lets_its_band_through_and_little_else() -> None:
    t = np.arange(BUS_HZ * 2) / BUS_HZ

    def gain_db(hz: float) -> float:
        tone = np.asarray(np.sin(2 * np.pi * hz * t) * 8000, dtype=np.int16)
        return float(20 * np.log10(carried(ChannelCondition(), tone)[BUS_HZ:].std() / tone.std() + 1e-9))

    assert all(abs(gain_db(hz)) < 1.5 for hz in (500, 1000, 2000, 3000))
    assert all(gain_db(hz) < -25 for hz in (80, 4600, 6000))


@pytest.mark.parametrize(("rate", "burst_ms"), [(5.0, 60.0), (10.0, 80.0), (20.0, 120.0), (1.0, 20.0)])
def test_loss_has_its_rate_and_its_bursts_their_length(rate: float, burst_ms: float) -> None:
    loss = BurstLoss(rate / 100, burst_ms, np.random.default_rng(7))
    lost = np.array([loss.lost() for _ in range(200_000)])
    assert abs(lost.mean() * 100 - rate) < rate * 0.12
    edges = np.diff(np.concatenate([[0], lost.astype(int), [0]]))
    runs = np.flatnonzero(edges == -1) - np.flatnonzero(edges == 1)
    assert abs(runs.mean() * 20 - max(burst_ms, 20)) < burst_ms * 0.1


def test_jitter_stays_within_its_range_for_95_of_100_packets() -> None:
    jitter = Jitter(30.0, 30.0, np.random.default_rng(3))
    assert abs(np.mean([jitter.too_late() for _ in range(50_000)]) - 0.05) < 0.005
    assert not any(Jitter(0.0, 0.0, np.random.default_rng(3)).too_late() for _ in range(1000))


def test_a_lost_packet_is_heard_as_a_softer_repetition() -> None:
    out = carried(ChannelCondition(loss=30, burst=20), voice(10)).astype(float)
    whole = carried(ChannelCondition(), voice(10)).astype(float)
    changed = np.abs(out - whole).reshape(-1, FRAME_SAMPLES).max(axis=1) > 200
    assert 0.15 < changed.mean() < 0.6
    assert (np.abs(out).reshape(-1, FRAME_SAMPLES).max(axis=1)[5:] > 100).mean() > 0.97


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_the_delay_it_names_is_the_delay_it_has(name: str) -> None:
    clean = replace(PRESETS[name], noise="none", loss=0, jitter=0, echo=0, gain=0)
    channel = Channel(clean, 1)
    click = QUIET.copy()
    click[100] = 30_000
    out = np.concatenate([channel.process(frame) for frame in (click, *[QUIET] * 12)])
    assert abs((int(np.argmax(np.abs(out))) - 100) * 1000 / BUS_HZ - channel.delay_ms) < 0.1


def test_an_echo_comes_back_late_and_soft() -> None:
    channel = Channel(ChannelCondition(echo=-20, echo_delay=200), 1)
    other = voice(1)
    frames = other.reshape(-1, FRAME_SAMPLES)
    out = []
    for frame in (*frames, *[QUIET] * 15):
        channel.returning(frame)
        out.append(channel.process(QUIET))
    heard = np.concatenate(out).astype(float)
    assert np.abs(heard[: BUS_HZ // 5 - FRAME_SAMPLES]).max() < 50
    ratio = 20 * np.log10(heard[BUS_HZ // 2 : BUS_HZ].std() / carried(ChannelCondition(), other).astype(float).std())
    assert abs(ratio + 20) < 2


def test_a_fast_clock_swallows_samples_and_never_a_frame() -> None:
    out = carried(ChannelCondition(drift=400), voice(30))
    assert len(out) == BUS_HZ * 30
    assert (np.abs(out).reshape(-1, FRAME_SAMPLES).max(axis=1)[5:] > 100).mean() > 0.97


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_seed_is_a_line(name: str) -> None:
    one, same, other = (carried(PRESETS[name], voice(3), seed) for seed in (5, 5, 6))
    assert (one == same).all()
    if PRESETS[name].noise != "none" or PRESETS[name].loss:
        assert (one != other).any()


@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from([2, 80, 320, 640]), min_size=1, max_size=12), st.integers(0, 99))
def test_sound_cut_anywhere_is_filtered_as_a_whole(pieces: list[int], seed: int) -> None:
    sound = np.random.default_rng(seed).normal(0, 3000, sum(pieces)).astype(np.float32)
    whole, cut = TelephoneBand(), TelephoneBand()
    parts = np.split(sound, np.cumsum(pieces)[:-1])
    narrow, narrow_parts = whole.narrowed(sound), [cut.narrowed(part) for part in parts]
    assert np.allclose(narrow, np.concatenate(narrow_parts), atol=0.01)
    wide_parts = [cut.widened(part) for part in narrow_parts]
    assert np.allclose(whole.widened(narrow), np.concatenate(wide_parts), atol=0.01)


frames = st.lists(st.integers(-32768, 32767), min_size=FRAME_SAMPLES, max_size=FRAME_SAMPLES)


@settings(max_examples=20, deadline=None)
@given(st.lists(frames, min_size=1, max_size=3), st.sampled_from(sorted(PRESETS)))
def test_any_sound_gets_through_as_whole_frames(content: list[list[int]], name: str) -> None:
    channel = Channel(PRESETS[name], 1)
    for values in content:
        out = channel.process(np.array(values, dtype=np.int16))
        assert out.shape == (FRAME_SAMPLES,)
        assert out.dtype == np.int16


def test_a_frame_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="320 samples"):
        Channel(ChannelCondition(), 1).process(np.zeros(319, dtype=np.int16))


def test_conditions_are_written_as_presets_and_values() -> None:
    assert parse_condition("perfect") == ChannelCondition()
    assert parse_condition("bad_signal") == ChannelCondition(loss=5, burst=60, jitter=30, buffer=60)
    assert parse_condition("background_noise") == ChannelCondition(noise="street", snr=15)
    assert parse_condition("background_noise, loss=5") == ChannelCondition(noise="street", snr=15, loss=5)
    assert parse_condition("snr=10,noise=babble") == ChannelCondition(noise="babble", snr=10)
    assert parse_condition("snr=10").noise == "pink"
    assert parse_condition("background_noise,snr=3").noise == "street"
    assert parse_condition("jitter=40").buffer == 60
    assert parse_condition("jitter=40,buffer=0").buffer == 0
    assert parse_condition("weak,jitter=40").buffer == 80
    assert parse_condition("") == ChannelCondition()


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_presets_name_stands_for_its_values(name: str) -> None:
    values = [f"{one}={value}" for one, value in asdict(PRESETS[name]).items()]
    assert parse_condition(name) == PRESETS[name] == parse_condition(",".join(values))
    assert parse_condition(f"{name},{name}") == PRESETS[name]


LINE_PAGE = Path(__file__).parents[2] / "docs" / "line.md"


def test_the_page_names_every_preset_and_every_value() -> None:
    first_cells = set(re.findall(r"^\| `([^`]+)` \|", LINE_PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    assert first_cells == {*PRESETS, *(one.name for one in fields(ChannelCondition))}


def test_the_pages_code_runs() -> None:
    block = re.search(r"```python\n(.*?)```", LINE_PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    names: dict[str, Any] = {}
    exec(block[1], names)
    assert names["heard"].shape == (FRAME_SAMPLES,)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("terrible", "one of perfect"),
        ("snr=loud", "is no number"),
        ("snr=nan", "out of range"),
        ("loss=101", "out of range"),
        ("noise=rain", "one of none, pink"),
        ("colour=red", "nothing called 'colour'"),
        ("=3", "nothing called ''"),
        ("loss=60,burst=20", "can't come in bursts of 20 ms; give a burst of at least 30"),
    ],
)
def test_what_is_no_condition_is_said_in_one_line(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        parse_condition(text)


@given(st.text(max_size=40))
def test_any_text_is_a_condition_or_an_input_error(text: str) -> None:
    try:
        condition = parse_condition(text)
    except InputError:
        return
    assert Channel(condition, 1).process(QUIET).shape == (FRAME_SAMPLES,)
