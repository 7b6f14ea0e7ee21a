"""`scoring.json`: what is accepted, what is refused and in which words, and the look-ups it becomes."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import mivas
from mivas.errors import PackError
from mivas.pack._scoring import read_scoring

INDUSTRIES = Path(mivas.__file__).parent / "industries"


def written(folder: Path, **keys: Any) -> Path:
    path = folder / "scoring.json"
    path.write_text(json.dumps({"version": 1, **keys}), encoding="utf-8")
    return path


OFFICE = {"office": {"normalise": "trim_lower", "map": {"park avenue": "loc_park_ave"}}}


def test_the_smallest_file_scores_nothing(tmp_path: Path) -> None:
    scoring = read_scoring(written(tmp_path))
    assert scoring.transfer_set == frozenset()
    assert scoring.tables == {}


@pytest.mark.parametrize(
    ("keys", "part"),
    [
        pytest.param({"transfers": []}, "transfers", id="unknown key"),
        pytest.param({"version": 2}, "version", id="unknown version"),
        pytest.param({"equality": [{"key": "a", "kind": "soundex"}]}, "kind", id="unknown kind"),
        pytest.param({"tables": {"a": {"rule": "roughly"}}}, "rule", id="unknown table rule"),
        pytest.param({"equality": [{"key": "a", "kind": "alias"}]}, "needs a table", id="alias without table"),
        pytest.param({"equality": [{"key": "a", "kind": "digits", "table": "x"}]}, "takes no table", id="idle table"),
        pytest.param(
            {"equality": [{"key": "a", "kind": "alias", "table": "x"}]}, "unknown alias table 'x'", id="lost table"
        ),
        pytest.param(
            {"aliases": OFFICE, "equality": [{"key": "a", "kind": "compact_alias", "table": "office"}]},
            "normalise compact",
            id="compact alias over another form",
        ),
        pytest.param(
            {"equality": [{"key": "a", "kind": "output_names", "match": "suffix"}]}, "match exact", id="named by suffix"
        ),
        pytest.param({"fact_keys": ["a"], "prose_keys": ["a"]}, "both fact_keys and prose_keys", id="fact and prose"),
        pytest.param({"skip_keys": ["a"], "presence_keys": ["a"]}, "both skip_keys", id="skipped and present"),
        pytest.param({"json_columns": {"holds.payload": {}}}, "holds.payload", id="column of no table"),
        pytest.param({"order": {"before": [["a"]]}}, "order.before", id="half a pair"),
        pytest.param(
            {"aliases": {"x": {"normalise": "compact", "map": {"a b": "one", "ab": "two"}}}},
            "means both",
            id="one spelling, two names",
        ),
        pytest.param({"aliases": {"x": {"normalise": "compact", "map": {"--": "one"}}}}, "blank", id="blank spelling"),
    ],
)
def test_a_wrong_file_is_one_clear_line(tmp_path: Path, keys: dict[str, Any], part: str) -> None:
    with pytest.raises(PackError) as caught:
        read_scoring(written(tmp_path, **keys))
    line = str(caught.value)
    assert part in line
    assert "scoring.json" in line
    assert "\n" not in line


def test_broken_json_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "scoring.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(PackError, match=r"scoring\.json:1"):
        read_scoring(path)


def test_an_alias_table_knows_its_names_and_their_spellings(tmp_path: Path) -> None:
    scoring = read_scoring(written(tmp_path, aliases=OFFICE))
    assert scoring.canonical("office", "Park Avenue") == "loc_park_ave"
    assert scoring.canonical("office", "LOC_PARK_AVE") == "loc_park_ave"
    assert scoring.canonical("office", "the park avenue office") is None
    with pytest.raises(KeyError):
        scoring.canonical("carrier", "x")


def test_a_rule_bound_to_a_tool_holds_for_that_tool_only(tmp_path: Path) -> None:
    rule = {"key": "office", "kind": "alias", "table": "office", "tool": "book"}
    scoring = read_scoring(written(tmp_path, aliases=OFFICE, equality=[rule]))
    assert scoring.rules_for("office", "book")
    assert not scoring.rules_for("office", "check")
    assert not scoring.rules_for("office")


def test_a_suffix_rule_covers_every_key_with_that_ending(tmp_path: Path) -> None:
    rule = {"key": "location_id", "match": "suffix", "kind": "alias", "table": "office"}
    scoring = read_scoring(written(tmp_path, aliases=OFFICE, equality=[rule]))
    assert scoring.rules_for("new_location_id")
    assert not scoring.rules_for("location_ids")


def test_columns_to_drop_come_together_for_each_table(tmp_path: Path) -> None:
    scoring = read_scoring(
        written(
            tmp_path,
            tables={"holds": {"rule": "exact"}, "rmas": {"rule": "exact", "drop": ["reason"]}},
            drop_columns=["created_at"],
            json_columns={"holds.payload": {"drop": ["reason"]}},
        )
    )
    assert scoring.tables["rmas"].drop == {"created_at", "reason"}
    assert scoring.tables["holds"].drop == {"created_at"}
    assert scoring.tables["holds"].json_columns == {"payload": frozenset({"reason"})}


def test_scoring_survives_the_way_to_a_worker_process() -> None:
    scoring = pickle.loads(pickle.dumps(read_scoring(INDUSTRIES / "healthcare" / "scoring.json")))
    assert scoring.canonical("carrier", "Blue Cross") == "bcbs"


def test_the_clinic_is_scored_as_its_sheet_says() -> None:
    scoring = read_scoring(INDUSTRIES / "healthcare" / "scoring.json")
    assert len(scoring.transfer_set) == 7
    assert scoring.forbidden_unless_expected == ("send_sms",)
    assert {name: table.rule for name, table in scoring.tables.items()} == {
        "patients": "exact",
        "appointments": "exact",
        "waitlist": "subset_or_empty",
    }
    assert scoring.canonical("office", "windermere") == "loc_windermere"
    assert scoring.canonical("office", "brooklyn") is None
    assert scoring.canonical("carrier", "UHC") is None


def test_the_set_up_pack_knows_its_one_transfer_and_its_one_table() -> None:
    scoring = read_scoring(INDUSTRIES / "control_industry" / "scoring.json")
    assert scoring.transfer_set == {"handoff_to_scheduler"}
    assert list(scoring.tables) == ["appointments"]
