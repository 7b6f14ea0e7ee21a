"""The schemas checked in are those of the code, and they accept the files we ship."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from mivas.pack import json_schemas, known_packs, load_pack

SCHEMAS = Path(__file__).parents[2] / "schemas"
FILES = ("pack", "agent_blueprint", "tools", "scoring")


def test_a_schema_stands_for_every_file_and_no_other() -> None:
    assert {path.name for path in SCHEMAS.glob("*.schema.json")} == {f"{name}.schema.json" for name in json_schemas()}


@pytest.mark.parametrize("name", json_schemas())
def test_code_and_file_agree(name: str) -> None:
    text = (SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8")
    assert text == json.dumps(json_schemas()[name], indent=2, ensure_ascii=False) + "\n"


@pytest.mark.parametrize("name", json_schemas())
def test_a_schema_is_a_schema(name: str) -> None:
    Draft202012Validator.check_schema(json_schemas()[name])


@pytest.mark.parametrize("pack_name", known_packs())
@pytest.mark.parametrize("name", FILES)
def test_our_files_satisfy_their_schema(pack_name: str, name: str) -> None:
    data = json.loads((load_pack(pack_name).folder / f"{name}.json").read_text(encoding="utf-8"))
    assert list(Draft202012Validator(json_schemas()[name]).iter_errors(data)) == []


def test_a_typo_is_refused_by_the_schema_too() -> None:
    wrong = {"version": 1, "transfer_sets": []}
    assert list(Draft202012Validator(json_schemas()["scoring"]).iter_errors(wrong)) != []


def test_the_schema_of_a_step_knows_as() -> None:
    solution = {
        "version": 1,
        "canary": "x",
        "steps": [{"call": "find_slots", "expect": {"ok": True}, "as": "slots"}],
    }
    assert list(Draft202012Validator(json_schemas()["solution"]).iter_errors(solution)) == []
