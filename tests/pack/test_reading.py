"""JSON is read strictly, and what is wrong with it is one short line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mivas.errors import PackError
from mivas.pack import CallerFile
from mivas.pack._reading import parse_json, parse_json_line, read_model, read_text, validate

ROW = '{"exp_db_state": {"patients": [{"id": 1}, {"id": VALUE}]}}'


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
def test_a_number_that_is_not_finite_is_refused_at_its_spot(value: str) -> None:
    with pytest.raises(PackError) as caught:
        parse_json(ROW.replace("VALUE", value), "task.json")
    assert str(caught.value).startswith(f"task.json: exp_db_state.patients.1.id: {value} is no number of JSON; ")


@pytest.mark.parametrize("value", ["1e308", "-0.0", "9" * 4300])
def test_a_large_number_that_json_allows_is_read(value: str) -> None:
    assert parse_json(f"[{value}]", "x") == [float(value) if "." in value or "e" in value else int(value)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("[" + "9" * 4301 + "]", "x.json: a number has thousands of digits; ", id="endless integer"),
        pytest.param("[1e" + "9" * 500 + "]", "x.json: 0: a number too large is no number", id="endless exponent"),
        pytest.param("[" * 300 + "]" * 300, "x.json: JSON is nested too deeply; ", id="deep list"),
        pytest.param('{"a":' * 300 + "1" + "}" * 300, "x.json: JSON is nested too deeply; ", id="deep object"),
        pytest.param("[" * 100_000, "x.json: JSON is nested too deeply; ", id="deeper than the interpreter goes"),
        pytest.param('{"a": 1,\n "b" 2}', "x.json:2:6: broken JSON: ", id="broken"),
        pytest.param('["\\ud83d"]', "x.json: a \\ud800-\\udfff escape stands alone; ", id="half a character"),
        pytest.param('{"a": NaN, "a": 1}', "x.json: a key that stands twice: NaN is no number", id="hidden value"),
    ],
)
def test_what_json_cant_be_read_is_told_shortly(text: str, message: str) -> None:
    with pytest.raises(PackError) as caught:
        parse_json(text, "x.json")
    assert str(caught.value).startswith(message)
    assert len(str(caught.value)) < 200


def test_a_character_in_two_escapes_is_read() -> None:
    assert parse_json('["\\ud83d\\ude00"]', "x") == ["\U0001f600"]


def test_wide_json_is_not_deep() -> None:
    assert parse_json("[" + "[]," * 500 + "[]]", "x") == [[]] * 501


def test_a_line_is_told_with_its_column() -> None:
    with pytest.raises(PackError) as caught:
        parse_json_line("{oops", "tasks.jsonl:2")
    assert str(caught.value).startswith("tasks.jsonl:2: column 2: broken JSON: ")


def test_a_byte_order_mark_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}", encoding="utf-8-sig")
    with pytest.raises(PackError, match="save it without a byte-order mark"):
        read_text(tmp_path / "x.json")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        pytest.param("a\0b", "no file can have that name", id="null character"),
        pytest.param("folder", "can't be read", id="folder"),
        pytest.param("n" * 300, "can't be read", id="too long"),
    ],
)
def test_a_path_that_is_no_file_is_told(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(PackError, match=message):
        read_text(tmp_path / name)


def test_a_file_of_ours_has_no_key_twice(tmp_path: Path) -> None:
    (tmp_path / "caller.json").write_text('{"version": 1, "exit": {"say": "a", "say": "b"}}', encoding="utf-8")
    with pytest.raises(PackError, match=r"caller\.json: key 'say' stands twice in one object; keep one"):
        read_model(CallerFile, tmp_path / "caller.json")


def test_a_foreign_file_may_have_a_key_twice() -> None:
    assert parse_json('{"a": 1, "a": 2}', "x") == {"a": 2}


def test_a_deep_spot_is_cut() -> None:
    heard: dict[str, Any] = {"question": 1}
    for _ in range(40):
        heard = {"all": [heard]}
    program = {
        "version": 1,
        "opening": None,
        "pins": [{"index": 0, "when": heard}],
        "exit": {"when": [], "say": "Bye."},
    }
    with pytest.raises(PackError) as caught:
        validate(CallerFile, program, "caller.json")
    assert len(str(caught.value)) < 200
    assert "pins.0.when.all.0." in str(caught.value)
