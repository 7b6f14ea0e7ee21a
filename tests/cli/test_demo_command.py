"""`mivas demo`: the main job with no key and no network."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mivas.cli import main
from mivas.pack import known_packs

Demo = Callable[..., tuple[int, str, str]]


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Demo:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["mivas", "demo", *arguments])
        with pytest.raises(SystemExit) as stop:
            main()
        return int(stop.value.code or 0), *capsys.readouterr()

    return call


@pytest.mark.slow
def test_every_pack_is_run_passed_failed_and_heard(demo: Demo, tmp_path: Path) -> None:
    soundfile = pytest.importorskip("soundfile")
    code, out, err = demo("--json", "--out", "somewhere")
    assert (code, err) == (0, "")
    knows, does_nothing, spoken = json.loads(out)
    assert set(knows["packs"]) == set(spoken["packs"]) == set(known_packs())
    assert knows["marks"]["pass"] == knows["trials"] == does_nothing["trials"]
    assert does_nothing["packs"]["control-industry"]["marks"]["FAIL"] == 1
    assert spoken["marks"]["pass"] == spoken["trials"]
    assert {Path(one["run_dir"]).parent for one in (knows, does_nothing, spoken)} == {Path("somewhere")}
    for recording in (tmp_path / spoken["run_dir"]).glob("calls/*/audio.flac"):
        sound, _ = soundfile.read(recording)
        assert sound.shape[1] == 2
        assert (sound.std(axis=0) > 0.005).all()


@pytest.mark.slow
def test_the_tables_fit_and_the_calls_to_hear_and_read_exist(demo: Demo, tmp_path: Path) -> None:
    code, out, _ = demo()
    assert code == 0
    prose = ("run folder: ", "listen: ", "the same call", "look at it: ", "your own run: ")
    assert max(len(line) for line in out.splitlines() if not line.startswith(prose)) <= 80
    told = [line for line in out.splitlines() if line.startswith(("listen: ", "the same call"))]
    assert len(told) > len(known_packs())
    assert all((tmp_path / line.rpartition(": ")[2]).is_file() for line in told)


def test_a_folder_that_cannot_be_made_is_one_line(demo: Demo, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, _, err = demo("--out", "file", "--json")
    assert (code, err.count("\n")) == (2, 1)
