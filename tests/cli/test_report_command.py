"""`mivas report`: what it writes, and what it refuses."""

from __future__ import annotations

import errno
import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def value_of(path: Path) -> Any:
    """The value a data file hands to its page."""
    text = path.read_text(encoding="utf-8")
    assert text.startswith("mivas.data(")
    return json.loads(text[text.index(",") + 1 : text.rindex(")")])


@pytest.fixture
def run_folder(mivas: Callable[..., Any], tmp_path: Path) -> Path:
    done = mivas("run", "control-industry", "--harness", "oracle", "--trials", "2", "--out", str(tmp_path / "run"))
    assert done.code == 0, done.err
    return tmp_path / "run"


def test_a_site_holds_every_call_of_the_run(mivas: Callable[..., Any], run_folder: Path, tmp_path: Path) -> None:
    said = mivas("report", str(run_folder), "--out", "site", "--json")
    assert said.code == 0, said.err
    assert json.loads(said.out)["calls"] == 2
    index = value_of(tmp_path / "site" / "data" / "index.js")
    lines = (run_folder / "trials.jsonl").read_text().splitlines()
    assert [call["call"] for call in index["calls"]] == [json.loads(line)["call_id"] for line in lines]
    for call in index["calls"]:
        value = value_of(tmp_path / "site" / "data" / "calls" / call["run"] / f"{call['call']}.js")
        assert value["mark"] == "pass"
        assert all(wanted["met"] for wanted in value["expected"])
        for file in value["evidence"].values():
            assert (tmp_path / "site" / file).stat().st_size


def test_an_old_site_is_replaced_and_other_folders_are_left_alone(
    mivas: Callable[..., Any], run_folder: Path, tmp_path: Path
) -> None:
    assert mivas("report", str(run_folder), "--out", "site").code == 0
    (tmp_path / "site" / "left-over.html").write_text("old")
    assert mivas("report", str(run_folder), "--out", "site").code == 0
    assert not (tmp_path / "site" / "left-over.html").exists()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "diary.txt").write_text("dear")
    said = mivas("report", str(run_folder), "--out", "mine")
    assert (said.code, said.err) == (2, "mivas: mine: holds other files; choose an empty or a new folder with --out\n")
    assert (tmp_path / "mine" / "diary.txt").read_text() == "dear"


def test_a_site_never_stands_in_a_run_folder(mivas: Callable[..., Any], run_folder: Path) -> None:
    said = mivas("report", str(run_folder), "--out", str(run_folder / "site"))
    assert said.code == 2
    assert "in or around a run folder" in said.err
    assert not (run_folder / "site").exists()


def test_a_folder_without_a_run_is_refused_in_one_line(mivas: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    said = mivas("report", "empty")
    assert said.code == 2
    assert said.err == "mivas: empty: no run there (no run.json); give a run folder\n"


def test_a_call_whose_evidence_is_gone_is_still_listed(
    mivas: Callable[..., Any], run_folder: Path, tmp_path: Path
) -> None:
    for part in run_folder.glob("calls/*/*"):
        part.unlink()
    assert mivas("report", str(run_folder), "--out", "site").code == 0
    index = value_of(tmp_path / "site" / "data" / "index.js")
    value = value_of(next((tmp_path / "site" / "data" / "calls").glob("*/*.js")))
    assert [call["mark"] for call in index["calls"]] == ["pass", "pass"]
    assert value["items"] == []
    assert value["changed"] is None
    assert value["expected"][0]["met"] is None


@pytest.mark.parametrize(
    ("text", "told"),
    [("{", "broken JSON"), ("[]", "is no result of a probe"), ('{"saboteurs": 3}', "is no result of a probe")],
)
def test_what_is_no_probe_is_refused_before_anything_is_written(
    mivas: Callable[..., Any], run_folder: Path, tmp_path: Path, text: str, told: str
) -> None:
    (tmp_path / "probe.json").write_text(text)
    said = mivas("report", str(run_folder), "--out", "site", "--probe", "probe.json")
    assert said.code == 2
    assert told in said.err
    assert not (tmp_path / "site").exists()


def test_two_runs_stand_side_by_side_under_names_of_their_own(
    mivas: Callable[..., Any], run_folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "again").mkdir()
    again = tmp_path / "again" / "run"
    assert mivas("run", "control-industry", "--harness", "nop", "--out", str(again)).code == 0
    assert mivas("report", str(run_folder), str(again), "--out", "site").code == 0
    index = value_of(tmp_path / "site" / "data" / "index.js")
    assert [run["name"] for run in index["runs"]] == ["run", "run-2"]
    assert {call["run"] for call in index["calls"]} == {"run", "run-2"}


def journal(run: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the first line of `trials.jsonl`."""
    path = run / "trials.jsonl"
    first, *rest = path.read_text().splitlines()
    line = json.loads(first)
    change(line)
    path.write_text("\n".join([json.dumps(line), *rest]) + "\n")


def everything_of(site: Path) -> str:
    return "".join(
        gzip.decompress(path.read_bytes()).decode(errors="replace") if path.suffix == ".gz" else path.read_text("utf-8")
        for path in sorted(site.rglob("*"))
        if path.is_file()
    )


@pytest.mark.parametrize("by", ["call id", "files", "link", "both names are dots"])
def test_nothing_from_outside_the_run_is_published(
    mivas: Callable[..., Any], run_folder: Path, tmp_path: Path, by: str
) -> None:
    evil = tmp_path / "evil"
    call = json.loads((run_folder / "trials.jsonl").read_text().splitlines()[0])["call_id"]
    shutil.copytree(run_folder / "calls" / call, evil)
    for name in ("events.jsonl", "final.json"):
        (evil / name).write_text((evil / name).read_text().replace("Copper", "SECRET"))
    (evil / "audio.flac").write_text("SECRET")
    if by == "call id":
        journal(run_folder, lambda line: line.update(call_id="../../evil"))
    elif by == "files":
        shutil.rmtree(run_folder / "calls" / call)
        journal(run_folder, lambda line: line["files"].update(events="../evil/events.jsonl"))
    elif by == "link":
        shutil.rmtree(run_folder / "calls" / call)
        (run_folder / "calls" / call).symlink_to(evil)
    else:
        journal(run_folder, lambda line: line.update(call_id=".."))
        manifest = json.loads((run_folder / "run.json").read_text())
        (run_folder / "run.json").write_text(json.dumps({**manifest, "run_id": ".."}))
        (run_folder / "events.jsonl").write_text("of nobody")
    before = sorted(tmp_path.iterdir())
    said = mivas("report", str(run_folder), "--out", "site")
    assert said.code == 0, said.err
    assert said.err.count("\n") == 1
    assert "evidence of a call isn't shown whole" in said.err
    if by != "both names are dots":
        assert "lies outside the run folder" in said.err
    assert "SECRET" not in everything_of(tmp_path / "site")
    assert sorted(tmp_path.iterdir()) == [*before, tmp_path / "site"]
    index = value_of(tmp_path / "site" / "data" / "index.js")
    assert [one["mark"] for one in index["calls"]] == ["pass", "pass"]


@pytest.mark.parametrize("left", [None, ""])
def test_a_run_without_calls_is_said(
    mivas: Callable[..., Any], run_folder: Path, tmp_path: Path, left: str | None
) -> None:
    (run_folder / "trials.jsonl").unlink()
    if left is not None:
        (run_folder / "trials.jsonl").write_text(left)
    said = mivas("report", str(run_folder), "--out", "site")
    assert said.code == 0
    assert said.err.count("\n") == 1
    assert ("is missing" if left is None else "holds no call") in said.err
    assert said.out.startswith("0 calls; ")


def test_lost_evidence_is_counted_in_one_line(mivas: Callable[..., Any], run_folder: Path) -> None:
    for part in run_folder.glob("calls/*/events.jsonl"):
        part.write_text("{")
    said = mivas("report", str(run_folder), "--out", "site")
    assert said.err.count("\n") == 1
    assert "evidence of 2 calls isn't shown whole; the first: " in said.err
    assert mivas("report", str(run_folder), "--out", "site", "--json").err.count("\n") == 1


def test_lost_recordings_are_counted_too(mivas: Callable[..., Any], run_folder: Path) -> None:
    pytest.importorskip("soundfile", reason="outlines need the extra voice")
    journal(run_folder, lambda line: line["files"].update(audio="calls/x/audio.flac"))
    said = mivas("report", str(run_folder), "--out", "site")
    assert "evidence of a call isn't shown whole" in said.err
    for call in run_folder.glob("calls/*"):
        (call / "audio.flac").write_text("no sound")
    said = mivas("report", str(run_folder), "--out", "site")
    assert "evidence of 2 calls isn't shown whole" in said.err
    assert "is no recording that can be read" in said.err


def test_one_call_is_one_call(mivas: Callable[..., Any], tmp_path: Path) -> None:
    done = mivas("run", "control-industry", "--harness", "oracle", "--out", str(tmp_path / "one"))
    assert done.code == 0, done.err
    assert mivas("report", "one", "--out", "site").out.startswith("1 call; open ")


def test_an_id_too_long_for_a_file_is_told_as_what_it_is(mivas: Callable[..., Any], run_folder: Path) -> None:
    journal(run_folder, lambda line: line.update(call_id="x" * 300))
    said = mivas("report", str(run_folder), "--out", "site")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert "trials.jsonl: an id of a call makes a file name of 300 characters" in said.err


def test_a_call_named_twice_is_shown_twice(mivas: Callable[..., Any], run_folder: Path, tmp_path: Path) -> None:
    other = json.loads((run_folder / "trials.jsonl").read_text().splitlines()[1])
    journal(run_folder, lambda line: line.update(call_id=other["call_id"], files=other["files"]))
    said = mivas("report", str(run_folder), "--out", "site")
    assert said.code == 0, said.err
    assert len(value_of(tmp_path / "site" / "data" / "index.js")["calls"]) == 2


def test_the_old_site_stays_until_the_new_one_is_whole(
    mivas: Callable[..., Any], run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert mivas("report", str(run_folder), "--out", "site").code == 0
    before = {path: path.read_bytes() for path in (tmp_path / "site").rglob("*") if path.is_file()}

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("mivas.report.site._build._link", full)
        said = mivas("report", str(run_folder), "--out", "site")
        assert (said.code, said.err.count("\n")) == (2, 1)
        assert "No space left on device" in said.err
        assert mivas("report", str(run_folder), "--out", "new").code == 2
        (tmp_path / "empty").mkdir()
        assert mivas("report", str(run_folder), "--out", "empty").code == 2
    assert {path: path.read_bytes() for path in (tmp_path / "site").rglob("*") if path.is_file()} == before
    assert not (tmp_path / "new").exists()
    assert list((tmp_path / "empty").iterdir()) == []
    assert mivas("report", str(run_folder), "--out", "site").code == 0


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("/proc/pictures", "/proc/pictures: can't be written"),
        ("a-file", "a-file: can't be written"),
        ("a-file/inner", "a-file/inner: can't be written"),
        ("site/pictures", "site/pictures: lies in the site"),
        ("run/pictures", "run/pictures: lies in a run folder"),
    ],
)
def test_a_folder_no_picture_can_be_kept_in_is_told_before_the_site_is_built(
    mivas: Callable[..., Any], run_folder: Path, tmp_path: Path, place: str, told: str
) -> None:
    (tmp_path / "a-file").write_text("mine")
    said = mivas("report", str(run_folder), "--out", "site", "--screenshots", place)
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert told in said.err
    assert not (tmp_path / "site").exists()
    assert (tmp_path / "a-file").read_text() == "mine"


def test_a_browser_that_is_not_there_is_told_before_the_site_is_built(
    mivas: Callable[..., Any], run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MIVAS_CHROMIUM", "/no/such/browser")
    said = mivas("report", str(run_folder), "--out", "site", "--screenshots", "pictures")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert "--screenshots: " in said.err
    assert not (tmp_path / "site").exists()
