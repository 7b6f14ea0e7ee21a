"""Reading a run back: what its journal names is only ever looked for in the run's own folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from mivas.errors import JournalError
from mivas.run import file_in_run, read_evidence


@pytest.mark.parametrize(
    "name",
    ["../evil", "../../../../evil", "/etc/passwd", "inner/../../evil", "out", "out/x", "circle/x", "a\0b", "\ud800"],
)
def test_a_path_outside_the_run_is_refused(tmp_path: Path, name: str) -> None:
    root = tmp_path / "run"
    root.mkdir()
    (root / "out").symlink_to(tmp_path)
    (root / "circle").symlink_to(root / "circle")
    with pytest.raises(JournalError, match="lies outside the run folder"):
        file_in_run(root, name)


def test_a_path_in_the_run_is_given_back_although_the_run_is_reached_over_a_link(tmp_path: Path) -> None:
    (tmp_path / "run" / "calls").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "run")
    assert file_in_run(tmp_path / "link", "calls", "C1") == tmp_path / "link" / "calls" / "C1"


@pytest.mark.parametrize(
    ("call_id", "events", "state"),
    [("../../evil", "calls/a/events.jsonl", "calls/a/final.json"), ("a", "../evil/events.jsonl", "calls/a/final.json"),
     ("a", "calls/a/events.jsonl", "/tmp/final.json"), ("/tmp", "calls/a/events.jsonl", "calls/a/final.json")],
)  # fmt: skip
def test_evidence_is_read_in_the_run_alone(tmp_path: Path, call_id: str, events: str, state: str) -> None:
    root = tmp_path / "run"
    (root / "calls" / "a").mkdir(parents=True)
    with pytest.raises(JournalError, match="lies outside the run folder"):
        read_evidence(root, {"call_id": call_id, "files": {"events": events, "state": state}})
