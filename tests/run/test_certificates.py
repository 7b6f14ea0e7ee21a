"""Certificates: kept for one revision of one harness, and never taken for another's."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from mivas.errors import InputError, JournalError
from mivas.harness import load_harness
from mivas.pack import pack_folder
from mivas.run import Certificate, RunOptions, certificate_of, certificates_folder, check_qualified, needs_certificate
from mivas.run._certificates import double_of, keep_certificate

CERTIFICATE = Certificate(
    harness="acme/first:m", revision="3", mivas_version="1", issued_utc="2026-08-19T12:00:00+00:00", mode="voice",
    pack="control-industry", pack_version="1", evidence="/runs/x", steps={"receives_call": True}, double_of=None,
)  # fmt: skip


def harness(revision: str = "3", **capabilities: Any) -> Any:
    given = {"knows_answers": False, "clock": "virtual", "takes_endpoint": False, "works_elsewhere": False}
    return SimpleNamespace(revision=revision, capabilities=SimpleNamespace(**given | capabilities))


def test_a_certificate_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    path = keep_certificate(CERTIFICATE, tmp_path / "new" / "folder")
    assert path.name.startswith("acme-first-m-")
    assert certificate_of(harness(), "acme/first:m", path.parent) == CERTIFICATE


@pytest.mark.parametrize("name", ["acme/first", "acme-first:m", "acme/first:M", "ACME/first:m", "doubled:acme/first:m"])
def test_another_harness_has_none_however_alike_the_names(tmp_path: Path, name: str) -> None:
    keep_certificate(CERTIFICATE, tmp_path)
    assert certificate_of(harness(), name, tmp_path) is None


def test_a_changed_harness_has_none(tmp_path: Path) -> None:
    keep_certificate(CERTIFICATE, tmp_path)
    assert certificate_of(harness(revision="4"), CERTIFICATE.harness, tmp_path) is None


@pytest.mark.parametrize("damage", [b"", b"[]", b"null", b"{}", b'{"version": 2}', b"\xff", b"{" * 10_000])
def test_a_damaged_file_is_no_certificate(tmp_path: Path, damage: bytes) -> None:
    path = keep_certificate(CERTIFICATE, tmp_path)
    path.write_bytes(damage)
    assert certificate_of(harness(), CERTIFICATE.harness, tmp_path) is None


def test_one_of_another_version_is_none(tmp_path: Path) -> None:
    path = keep_certificate(CERTIFICATE, tmp_path)
    path.write_text(json.dumps({**json.loads(path.read_text()), "version": 1}))
    assert certificate_of(harness(), CERTIFICATE.harness, tmp_path) is None


def test_a_later_one_takes_the_place_of_an_earlier(tmp_path: Path) -> None:
    keep_certificate(CERTIFICATE, tmp_path)
    keep_certificate(replace(CERTIFICATE, revision="4"), tmp_path)
    assert len(list(tmp_path.iterdir())) == 1
    assert certificate_of(harness(revision="4"), CERTIFICATE.harness, tmp_path)


def test_a_folder_that_cannot_be_made_is_said_in_one_line() -> None:
    with pytest.raises(JournalError, match="MIVAS_CERTIFICATES"):
        keep_certificate(CERTIFICATE, Path("/dev/null/certificates"))


def test_where_certificates_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MIVAS_CERTIFICATES", " ")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert certificates_folder() == Path("/data/mivas/certificates")
    monkeypatch.setenv("XDG_DATA_HOME", "")
    monkeypatch.setenv("HOME", "/home/x")
    assert certificates_folder() == Path("/home/x/.local/share/mivas/certificates")
    monkeypatch.setenv("MIVAS_CERTIFICATES", "/elsewhere")
    assert certificates_folder() == Path("/elsewhere")


@pytest.mark.parametrize(
    ("name", "needs"),
    [("oracle", False), ("nop", False), ("reflex", False), ("doubled:grok/voice", False), ("chat:m", True),
     ("grok/voice", True), ("openai/realtime-2.1-swap", True), ("chirp:ws://h/", True)],
)  # fmt: skip
def test_who_needs_one(name: str, needs: bool) -> None:
    assert needs_certificate(load_harness(name)) is needs


def test_a_harness_of_somebody_elses_needs_one() -> None:
    assert needs_certificate(harness())


def test_a_scored_pack_wants_one_and_a_fixture_does_not(tmp_path: Path) -> None:
    check_qualified(RunOptions(packs=("control-industry",), harness="foreign"), harness(), tmp_path)
    for packs in (("healthcare",), ("control-industry", "legal")):
        with pytest.raises(InputError, match="has no certificate"):
            check_qualified(RunOptions(packs=packs, harness="foreign"), harness(), tmp_path)
    keep_certificate(replace(CERTIFICATE, harness="foreign"), tmp_path)
    check_qualified(RunOptions(packs=("healthcare",), harness="foreign"), harness(), tmp_path)


def test_tasks_of_ones_own_cannot_pass_for_a_fixture(tmp_path: Path) -> None:
    folder = tmp_path / "fixture"
    shutil.copytree(pack_folder("healthcare") / "tasks" / "C1-E1", folder / "C1-E1")
    options = RunOptions(packs=("healthcare",), harness="foreign", tasks=str(folder))
    with pytest.raises(InputError, match="has no certificate"):
        check_qualified(options, harness(), tmp_path)


def test_a_double_says_whose_adapter_it_plays_and_changes_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    doubled = load_harness("doubled:qwen/audio-realtime")
    assert double_of(doubled) == "qwen/audio-realtime"
    before = doubled.revision
    adapter = load_harness("qwen/audio-realtime")
    monkeypatch.setattr(type(doubled), "adapter", property(lambda _: 1))
    assert double_of(doubled) is None
    assert adapter.revision in before
    for name in ("oracle", "reflex", "chat:m"):
        assert double_of(load_harness(name)) is None
