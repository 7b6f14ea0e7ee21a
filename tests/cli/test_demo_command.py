"""`mivas demo`: the main job with no key and no network."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mivas.cli import main
from mivas.cli.demo import TRIALS
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


def test_the_document_shows_every_pack_passed_and_failed(demo: Demo, tmp_path: Path) -> None:
    code, out, err = demo("--json", "--out", "somewhere")
    assert (code, err) == (0, "")
    knows, does_nothing = json.loads(out)
    assert set(knows["packs"]) == set(known_packs())
    assert knows["marks"]["pass"] == knows["trials"]
    assert does_nothing["trials"] == knows["trials"]
    assert does_nothing["packs"]["control-industry"]["marks"]["FAIL"] == TRIALS
    assert {Path(one["run_dir"]).parent for one in (knows, does_nothing)} == {Path("somewhere")}


def test_the_tables_fit_and_the_call_to_read_exists(demo: Demo, tmp_path: Path) -> None:
    code, out, _ = demo()
    assert code == 0
    prose = ("run folder: ", "one call, word by word", "your own run: ")
    assert max(len(line) for line in out.splitlines() if not line.startswith(prose)) <= 80
    (line,) = [line for line in out.splitlines() if line.startswith("one call")]
    assert (tmp_path / line.rpartition(": ")[2]).is_file()


def test_a_folder_that_cannot_be_made_is_one_line(demo: Demo, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, _, err = demo("--out", "file", "--json")
    assert (code, err.count("\n")) == (2, 1)
