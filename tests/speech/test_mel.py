from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")

from mivas.speech._mel import BANDS, HOP, _filters, log_mel  # noqa: E402


def test_filters_are_the_slaney_triangles_that_whisper_was_trained_with() -> None:
    filters = _filters()
    assert filters.shape == (80, 201)
    # Slaney's scale has 200/3 Hz a mel below 1 kHz: the first peak is at 37.238 Hz, its area 1.
    assert filters[0, 1] == pytest.approx(0.02486259, abs=1e-6)
    assert filters[1, 1] == pytest.approx(0.00199082, abs=1e-6)
    assert filters[1, 2] == pytest.approx(0.02287177, abs=1e-6)
    assert (filters.sum(axis=1)[41:] * 40).tolist() == pytest.approx([1.0] * 39, rel=0.02)


def test_a_tone_is_loudest_in_its_band() -> None:
    tone = (8000 * np.sin(2 * np.pi * 1000 * np.arange(16_000) / 16_000)).astype(np.int16)
    spectrum = log_mel(tone, 16_000)
    loudest = int(spectrum[:, 50].argmax())
    assert _filters()[loudest, 25] > 0.5 * _filters()[loudest].max()  # bin 25 is 1000 Hz
    assert spectrum.max() - spectrum.min() <= 2.0 + 1e-6  # 8 decades / 4


def test_after_the_sound_there_is_nothing() -> None:
    spectrum = log_mel(np.full(3_200, 500, dtype=np.int16), 16_000)
    assert spectrum.shape == (BANDS, 16_000 // HOP)
    assert np.all(spectrum[:, 3_200 // HOP + 1 :] == 0.0)


@pytest.mark.parametrize("length", [0, 1, 159, 160, 400, 16_000, 20_000])
def test_any_length_fits_the_window(length: int) -> None:
    spectrum = log_mel(np.ones(length, dtype=np.int16), 16_000)
    assert spectrum.shape == (80, 100)
    assert spectrum.dtype == np.float32
    assert np.all(np.isfinite(spectrum))
