"""The command line as a person meets it: exit code, standard output, standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from mivas.cli import main


class Said(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def mivas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Call the command in an empty folder, 80 columns wide and with no default from outside."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("HARNESS", "INDUSTRY", "MIVAS_REFERENCE", "MIVAS_OPERATOR_TOKEN"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: str) -> Said:
        monkeypatch.setattr(sys, "argv", ["mivas", *arguments])
        with pytest.raises(SystemExit) as stop:
            main()
        out, err = capsys.readouterr()
        return Said(int(stop.value.code or 0), out, err)

    return call
