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
from mivas.run import Certificate, RunOptions, certificates_folder, certificates_of, check_qualified, needs_certificate
from mivas.run import certificate_of as certificate_for
from mivas.run._certificates import certificate_name, double_of, keep_certificate, prepare_certificates, why_none

CERTIFICATE = Certificate(
    harness="acme/first:m", revision="3", mivas_version="1", issued_utc="2026-08-19T12:00:00+00:00", mode="text",
    base_url=None, pack="control-industry", pack_version="1", evidence="/runs/x", steps={"receives_call": True},
    double_of=None,
)  # fmt: skip


def harness(revision: str = "3", **capabilities: Any) -> Any:
    given = {"knows_answers": False, "clock": "virtual", "takes_endpoint": False, "works_elsewhere": False}
    return SimpleNamespace(revision=revision, capabilities=SimpleNamespace(**given | capabilities))


def certificate_of(harness: Any, name: str, folder: Path, base_url: str | None = None, mode: str = "text") -> Any:
    return certificate_for(harness, name, folder, base_url=base_url, mode=mode)


def cause(harness: Any, folder: Path, base_url: str | None = None, mode: str = "text") -> str:
    return why_none(harness, CERTIFICATE.harness, folder, base_url=base_url, mode=mode)


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


@pytest.mark.parametrize(
    "damage", [b"", b"[]", b"null", b"{}", b'{"version": 2}', b"\xff", b"[" * 100_000, b'{"version": 3}']
)
def test_a_damaged_file_is_no_certificate(tmp_path: Path, damage: bytes) -> None:
    path = keep_certificate(CERTIFICATE, tmp_path)
    path.write_bytes(damage)
    assert certificate_of(harness(), CERTIFICATE.harness, tmp_path) is None
    assert certificates_of(harness(), CERTIFICATE.harness, tmp_path) == ()
    assert cause(harness(), tmp_path).startswith(f"{path} is ")


def test_one_of_another_version_is_none(tmp_path: Path) -> None:
    path = keep_certificate(CERTIFICATE, tmp_path)
    path.write_text(json.dumps({**json.loads(path.read_text()), "version": 2}))
    assert certificate_of(harness(), CERTIFICATE.harness, tmp_path) is None
    assert cause(harness(), tmp_path) == f"{path} is of version 2 of the format, this is 3"


def test_one_whose_words_are_none_is_damaged(tmp_path: Path) -> None:
    path = keep_certificate(CERTIFICATE, tmp_path)
    for field in ("issued_utc", "mode", "base_url", "double_of"):
        path.write_text(json.dumps({**json.loads(path.read_text()), field: 5}))
        assert cause(harness(), tmp_path) == f"{path} is damaged"


HERE, THERE = "ws://127.0.0.1:1/v1", "wss://proxy.example/v1"


@pytest.mark.parametrize(
    ("earned", "asked", "words"),
    [
        ({}, {"base_url": THERE}, f"is for the harness's own address, not {THERE}"),
        ({"base_url": THERE}, {}, f"is for {THERE}, not the harness's own address"),
        ({"base_url": THERE}, {"base_url": HERE}, f"is for {THERE}, not {HERE}"),
        ({"mode": "voice"}, {}, "is for mode voice, not text"),
        ({"revision": "2"}, {}, "is for revision 2, it is 3 now"),
        ({"base_url": HERE, "double_of": "acme/first"}, {"base_url": HERE}, f"was earned with a double at {HERE}"),
    ],
)
def test_one_that_was_earned_otherwise_does_not_count_and_says_why(
    tmp_path: Path, earned: Any, asked: Any, words: str
) -> None:
    path = keep_certificate(replace(CERTIFICATE, **earned), tmp_path)
    assert certificate_of(harness(), CERTIFICATE.harness, tmp_path, **asked) is None
    assert cause(harness(), tmp_path, **asked).startswith(f"{path} {words}")


def test_each_address_and_mode_has_one_of_its_own(tmp_path: Path) -> None:
    """None takes another's place: what was earned with a double must not cost what was earned live."""
    keep_certificate(CERTIFICATE, tmp_path)
    keep_certificate(replace(CERTIFICATE, base_url=HERE, double_of="acme/first"), tmp_path)
    keep_certificate(replace(CERTIFICATE, base_url=THERE), tmp_path)
    keep_certificate(replace(CERTIFICATE, mode="voice"), tmp_path)
    assert certificate_of(harness(), CERTIFICATE.harness, tmp_path) == CERTIFICATE
    assert certificate_of(harness(), CERTIFICATE.harness, tmp_path, f"{THERE}/").base_url == THERE
    assert certificate_of(harness(), CERTIFICATE.harness, tmp_path, HERE) is None
    assert len(certificates_of(harness(), CERTIFICATE.harness, tmp_path)) == 3
    assert why_none(harness(), "other", tmp_path, base_url=None, mode="text") == f"none is in {tmp_path}"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("openai/realtime-2.1:gpt-realtime-2.1", "openai/realtime-2.1"),
        ("openai/realtime-2.1:other", "openai/realtime-2.1:other"),
        ("grok/voice:grok-voice-latest", "grok/voice"),
        ("grok/voice", "grok/voice"),
        ("chat:m", "chat:m"),
        ("chirp:ws://h/", "chirp:ws://h/"),
        ("doubled:grok/voice", "doubled:grok/voice"),
    ],
)
def test_the_model_that_a_harness_has_anyhow_makes_no_other_one(name: str, key: str) -> None:
    assert certificate_name(load_harness(name), name) == key


@pytest.mark.parametrize(
    ("base_url", "doubled"),
    [(None, False), (HERE, True), ("http://localhost:1/", True), ("ws://[::1]:1/", True), ("ws://0.0.0.0:1/", True),
     ("ws://a.localhost/", True), (THERE, False), ("ws://[", False)],
)  # fmt: skip
def test_a_provider_on_this_machine_is_a_double(base_url: str | None, doubled: bool) -> None:
    for name in ("openai/realtime-2.1", "grok/voice"):
        assert double_of(load_harness(name), base_url) == (name if doubled else None)
    assert double_of(load_harness("chat:m"), base_url) is None, "a model of one's own may well run here"


def test_a_later_one_takes_the_place_of_an_earlier(tmp_path: Path) -> None:
    keep_certificate(CERTIFICATE, tmp_path)
    keep_certificate(replace(CERTIFICATE, revision="4"), tmp_path)
    assert len(list(tmp_path.iterdir())) == 1
    assert certificate_of(harness(revision="4"), CERTIFICATE.harness, tmp_path)


def test_a_folder_that_cannot_be_made_is_said_in_one_line() -> None:
    with pytest.raises(JournalError, match="MIVAS_CERTIFICATES"):
        keep_certificate(CERTIFICATE, Path("/dev/null/certificates"))
    with pytest.raises(JournalError, match="MIVAS_CERTIFICATES"):
        prepare_certificates(Path("/dev/null"))


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
