"""`mivas probe`: our own suite is sound, what isn't is told, and the public release gives a list of survivors."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from mivas.pack import load_pack
from mivas.probe import FAULTS, FLOORS, read_survivors

SUITE = Path(__file__).parents[1] / "suites" / "healthcare"
REFERENCE = Path(os.environ.get("MIVAS_REFERENCE", "/work/shared/reference"))
NO_PLACE = {"blank-note"}
"""Faults that our twelve cases have no place for: no tool of the clinic takes a note."""


@pytest.fixture(scope="module")
def proof() -> dict[str, Any]:
    """The probe of our own twelve cases, as one JSON document."""
    import subprocess
    import sys

    command = [
        sys.executable,
        "-c",
        "from mivas.cli import main; main()",
        "probe",
        "healthcare",
        "--tasks",
        str(SUITE),
        "--json",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=280)
    assert done.returncode == 0, done.stdout + done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


class TestOurSuite:
    def test_every_case_is_attained(self, proof: dict[str, Any]) -> None:
        assert (proof["cases"], proof["attainable"], proof["unattainable"]) == (12, 12, [])

    def test_every_needed_fact_is_needed(self, proof: dict[str, Any]) -> None:
        assert proof["necessary"]["tested"] == proof["necessary"]["held"] > 60

    @pytest.mark.parametrize("name", FAULTS)
    def test_every_saboteur_is_killed_wherever_it_has_a_place(self, proof: dict[str, Any], name: str) -> None:
        one = proof["saboteurs"][name]
        assert (one["applicable"] > 0) is (name not in NO_PLACE)
        assert (one["killed"], one["survived"]) == (one["applicable"], [])

    @pytest.mark.parametrize("name", FLOORS)
    def test_no_floor_agent_passes(self, proof: dict[str, Any], name: str) -> None:
        assert proof["floors"][name] == {"passes": 0, "task_ids": []}

    def test_what_expects_nothing_stands_apart(self, proof: dict[str, Any]) -> None:
        assert proof["expects_nothing"] == ["C2-E1"]


@pytest.fixture
def one_case(tmp_path: Path) -> Path:
    """A suite of one case, that of a person wanted at once."""
    shutil.copytree(SUITE / "R-E1", tmp_path / "suite" / "R-E1")
    return tmp_path / "suite"


class TestCommand:
    def test_the_tables(self, mivas: Any, one_case: Path) -> None:
        code, out, err = mivas("probe", "healthcare", "--tasks", str(one_case))
        assert (code, err) == (0, "")
        assert "attainable 1 of 1, necessary 1 of 1 facts" in out
        for word in ("R-E1", "wrong-argument", "escalate-always", "policy rows", "TH"):
            assert word in out

    def test_a_survivor_fails_the_check_until_it_is_listed(self, mivas: Any, one_case: Path, tmp_path: Path) -> None:
        weaker = one_case / "R-E1" / "task.json"
        task = json.loads(weaker.read_text())
        task["exp_tool_calls"] = ["transfer_to_human"]
        weaker.write_text(json.dumps(task))
        code, out, _ = mivas("probe", "healthcare", "--tasks", str(one_case))
        assert code == 1
        assert "R-E1: escalate-always survives, T should have noticed" in out
        entry = {"case": "R-E1", "saboteur": "escalate-always", "rule": "3.4.4", "why": "asked for by name only"}
        (one_case / "survivors.json").write_text(json.dumps({"version": 1, "survivors": [entry]}))
        code, out, _ = mivas("probe", "healthcare", "--tasks", str(one_case))
        assert code == 0
        assert "accepted: R-E1 escalate-always, rule 3.4.4: asked for by name only" in out

    def test_a_list_that_is_named_must_be_there(self, mivas: Any, one_case: Path) -> None:
        code, _, err = mivas("probe", "healthcare", "--tasks", str(one_case), "--survivors", "none.json")
        assert (code, "none.json" in err, len(err.splitlines())) == (2, True, 1)

    def test_the_picture(self, mivas: Any, one_case: Path, tmp_path: Path) -> None:
        pytest.importorskip("matplotlib")
        assert mivas("probe", "healthcare", "--tasks", str(one_case), "--picture", "c.svg").code == 0
        assert (tmp_path / "c.svg").read_text().startswith("<?xml")

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (("nobody",), "no pack 'nobody'"),
            (("healthcare", "--only", "X*"), "no case is left"),
            (("healthcare", "--picture", "c.txt"), "no picture format"),
            (("healthcare", "--workers", "0"), "--workers"),
        ],
    )
    def test_bad_input_is_one_line(self, mivas: Any, arguments: tuple[str, ...], told: str) -> None:
        code, out, err = mivas("probe", *arguments)
        assert (code, out, len(err.splitlines())) == (2, "", 1)
        assert told in err


@pytest.mark.slow
@pytest.mark.parametrize("pack_name", ["healthcare", "legal", "customer-support"])
def test_survivors_of_the_public_release_are_those_on_the_list(
    pack_name: str, mivas: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = REFERENCE / "tasks" / pack_name
    if not tasks.is_dir():
        pytest.skip("needs the sample tasks of the public release")
    monkeypatch.setenv("MIVAS_REFERENCE", str(REFERENCE))
    code, out, err = mivas("probe", pack_name, "--tasks", str(tasks), "--json")
    document = json.loads(out)
    assert (code, document["suite"], document["problems"]) == (0, "public-2026-08", []), err
    listed = read_survivors(load_pack(pack_name).folder / "survivors" / "public-2026-08.json", required=True)
    survived = {
        *((one["task_id"], name) for name, found in document["saboteurs"].items() for one in found["survived"]),
        *((task_id, name) for name, found in document["floors"].items() for task_id in found["task_ids"]),
        *((task_id, "oracle") for task_id in document["unattainable"]),
    }
    assert survived == {(one.case, one.saboteur) for one in listed}


def test_coverage_needs_no_call(mivas: Any) -> None:
    code, out, _ = mivas("packs", "tasks", "healthcare", "--tasks", str(SUITE), "--coverage", "--json")
    covered = json.loads(out)["coverage"]
    assert code == 0
    assert covered["policy_rows"] == {"count": [6, 6], "untouched": []}
    assert "send_sms" not in covered["tools"]["untouched"]
    code, out, _ = mivas("packs", "tasks", "healthcare", "--tasks", str(SUITE), "--coverage")
    assert (code, "policy rows" in out) == (0, True)
