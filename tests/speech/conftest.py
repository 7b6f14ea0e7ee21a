"""Voices and ears with weights, loaded once; tests that need them are skipped where the extra isn't installed."""

from __future__ import annotations

import pytest

from mivas.speech import Ears, Voice, WeightsMissing, load_ears, load_voice


@pytest.fixture(scope="session")
def voice() -> Voice:
    pytest.importorskip("hibari")
    return load_voice("hibari:f1")


@pytest.fixture(scope="session")
def ears() -> Ears:
    pytest.importorskip("ctranslate2")
    try:
        return load_ears("whisper:tiny.en")
    except WeightsMissing as error:
        pytest.skip(str(error))
