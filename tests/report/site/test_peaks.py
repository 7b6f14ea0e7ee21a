"""The outline of a recording: each side where it spoke, silence where it didn't."""

from __future__ import annotations

import sys
from base64 import b64decode
from pathlib import Path

import pytest

from mivas.report.site import peaks_of

HZ = 16_000


def test_each_side_stands_where_it_spoke(tmp_path: Path) -> None:
    numpy, soundfile = pytest.importorskip("numpy"), pytest.importorskip("soundfile")
    sound = numpy.zeros((2 * HZ, 2), dtype=numpy.int16)
    sound[:HZ, 0] = 20_000
    sound[HZ:, 1] = -32_768
    soundfile.write(tmp_path / "a.flac", sound, HZ)
    found = peaks_of(tmp_path / "a.flac")
    assert found is not None
    assert (found["per_s"], found["duration_ms"]) == (40, 2000)
    caller, agent = b64decode(found["caller"]), b64decode(found["agent"])
    assert len(caller) == len(agent) == 80
    assert min(caller[:40]) > 150
    assert max(caller[40:]) == max(agent[:40]) == 0
    assert set(agent[40:]) == {255}


def test_one_channel_stands_for_both(tmp_path: Path) -> None:
    numpy, soundfile = pytest.importorskip("numpy"), pytest.importorskip("soundfile")
    soundfile.write(tmp_path / "a.wav", numpy.full(HZ, 900, dtype=numpy.int16), HZ)
    found = peaks_of(tmp_path / "a.wav")
    assert found is not None
    assert found["caller"] == found["agent"]


@pytest.mark.parametrize("content", [b"", b"fLaC", b"nothing like sound"])
def test_what_is_no_recording_has_no_outline(tmp_path: Path, content: bytes) -> None:
    pytest.importorskip("soundfile")
    (tmp_path / "a.flac").write_bytes(content)
    assert peaks_of(tmp_path / "a.flac") is None


def test_without_the_extra_there_is_no_outline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "soundfile", None)
    assert peaks_of(tmp_path / "a.flac") is None


def test_a_recording_shorter_than_one_peak_has_an_empty_outline(tmp_path: Path) -> None:
    """Of a call that was void at once."""
    numpy, soundfile = pytest.importorskip("numpy"), pytest.importorskip("soundfile")
    soundfile.write(tmp_path / "short.flac", numpy.zeros((192, 2), numpy.int16), 16_000)
    outline = peaks_of(tmp_path / "short.flac")
    assert outline is not None
    assert (outline["duration_ms"], outline["caller"], outline["agent"]) == (12, "", "")
