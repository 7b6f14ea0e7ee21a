"""Tasks load in all spellings of the public release, and mean the same in each."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from mivas.errors import PackError, UnknownName
from mivas.pack import Pack, Suite, load_pack, load_suite

TASK: dict[str, Any] = {
    "task_name": "C1-E1: Does the office take my plan?",
    "customer_name": "Dana Whit",
    "intent": "Ask whether the plan is taken.",
    "traits": [{"trait_name": "full_name", "value": "Dana Whit"}],
    "exp_handoff_path": ["transfer_to_coverage"],
    "exp_tool_calls": [
        {"name": "transfer_to_coverage"},
        {"name": "check_plan_accepted", "parameters": {"carrier": {"any_of": ["aetna", "cigna"]}}},
    ],
    "scripted_responses": [
        {
            "match_type": "context",
            "match_phrase": "offers a visit",
            "response_type": "phrase",
            "response_value": "No, thanks.",
        }
    ],
    "behaviors": {"creativity": 0},
    "customer_available_tools": {},
    "metadata": {
        "category": "C1",
        "category_slug": "new-patient-access",
        "difficulty": "easy",
        "audio_condition": "perfect",
    },
    "exp_db_state": {"patients": []},
}


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack("healthcare")


def as_row(task: dict[str, Any], industry: str = "healthcare") -> dict[str, Any]:
    row = {key: value for key, value in task.items() if key != "metadata"}
    row |= {"industry": industry, "task_id": task["task_name"].partition(":")[0], **task["metadata"]}
    row["scripted_responses"] = [{**pin, "occurrence_mode": "always"} for pin in task["scripted_responses"]]
    return row


def write_folder(root: Path, task: dict[str, Any], task_id: str = "C1-E1") -> Path:
    (root / task_id).mkdir(parents=True)
    (root / task_id / "task.json").write_text(json.dumps(task), encoding="utf-8")
    return root


def write_rows(path: Path, *rows: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def spellings(root: Path, task: dict[str, Any]) -> dict[str, Path]:
    write_rows(root / "dataset" / "healthcare" / "tasks.jsonl", as_row(task))
    return {
        "folder": write_folder(root / "folder", task),
        "rows": write_rows(root / "tasks.jsonl", as_row(task)),
        "dataset": root / "dataset",
        "pack folder of a dataset": root / "dataset" / "healthcare",
    }


@pytest.mark.parametrize("spelling", ["folder", "rows", "dataset", "pack folder of a dataset"])
def test_every_spelling_gives_the_same_task(tmp_path: Path, pack: Pack, spelling: str) -> None:
    paths = spellings(tmp_path, TASK)
    task = load_suite(pack, paths[spelling]).tasks["C1-E1"]
    assert task.raw == load_suite(pack, paths["folder"]).tasks["C1-E1"].raw
    assert [call.name for call in task.expected_calls] == ["transfer_to_coverage", "check_plan_accepted"]
    assert task.expected_path == ("transfer_to_coverage",)
    assert task.traits == {"full_name": "Dana Whit"}
    assert task.file.metadata.difficulty == "easy"


def test_every_spelling_has_the_same_hash(tmp_path: Path, pack: Pack) -> None:
    hashes = {load_suite(pack, path).hash for path in spellings(tmp_path, TASK).values()}
    assert len(hashes) == 1


def test_the_hash_follows_the_tasks(tmp_path: Path, pack: Pack) -> None:
    other = copy.deepcopy(TASK) | {"intent": "Ask for something else."}
    one, two = write_folder(tmp_path / "a", TASK), write_folder(tmp_path / "b", other)
    assert load_suite(pack, one).hash != load_suite(pack, two).hash


@pytest.mark.parametrize("mode", [None, "always", "once", "nth"])
def test_a_pin_fires_always_unless_it_says_otherwise(tmp_path: Path, pack: Pack, mode: str | None) -> None:
    task = copy.deepcopy(TASK)
    if mode is not None:
        task["scripted_responses"][0]["occurrence_mode"] = mode
    loaded = load_suite(pack, write_folder(tmp_path, task)).tasks["C1-E1"]
    assert loaded.file.scripted_responses[0].occurrence_mode == (mode or "always")
    assert loaded.raw["scripted_responses"][0]["occurrence_mode"] == (mode or "always")


def test_a_missing_occurrence_mode_doesnt_change_the_hash(tmp_path: Path, pack: Pack) -> None:
    told = copy.deepcopy(TASK)
    told["scripted_responses"][0]["occurrence_mode"] = "always"
    bare = load_suite(pack, write_folder(tmp_path / "bare", TASK))
    assert load_suite(pack, write_folder(tmp_path / "told", told)).hash == bare.hash


@pytest.mark.parametrize("spelling", ["folder", "rows"])
def test_an_unknown_key_of_a_foreign_task_is_kept_with_a_warning(tmp_path: Path, pack: Pack, spelling: str) -> None:
    suite = load_suite(pack, spellings(tmp_path, TASK | {"colour": "red"})[spelling])
    assert suite.tasks["C1-E1"].raw["colour"] == "red"
    assert len(suite.warnings) == 1
    assert "colour" in suite.warnings[0]


def test_an_unknown_key_in_our_own_suite_is_an_error(copy_pack: Any, tmp_path: Path) -> None:
    folder = copy_pack("healthcare")
    write_folder(folder / "tasks", TASK | {"colour": "red"})
    own = load_pack(str(folder))
    with pytest.raises(PackError, match="colour"):
        load_suite(own)


def test_our_own_suite_bears_the_packs_suite_name_by_either_way(copy_pack: Any) -> None:
    folder = copy_pack("healthcare")
    write_folder(folder / "tasks", TASK)
    own = load_pack(str(folder))
    assert load_suite(own).name == load_suite(own, folder / "tasks").name == "mivas-1"


def test_other_tasks_are_a_local_suite(tmp_path: Path, pack: Pack) -> None:
    assert load_suite(pack, write_folder(tmp_path / "mine", TASK)).name == "local-mine"


def test_a_pack_without_tasks_has_an_empty_suite(copy_pack: Any) -> None:
    assert load_suite(load_pack(str(copy_pack("control-industry")))).tasks == {}


@pytest.mark.parametrize("value", [[], None, "aetna"])
def test_an_any_of_without_options_is_refused(tmp_path: Path, pack: Pack, value: object) -> None:
    task = copy.deepcopy(TASK)
    task["exp_tool_calls"][1]["parameters"]["carrier"] = {"any_of": value}
    with pytest.raises(PackError, match=r"check_plan_accepted\.carrier: any_of needs a list"):
        load_suite(pack, write_folder(tmp_path, task))


def test_an_expected_hop_that_is_no_transfer_is_refused(tmp_path: Path, pack: Pack) -> None:
    with pytest.raises(PackError, match="'transfer_to_moon' is no transfer of pack healthcare"):
        load_suite(pack, write_folder(tmp_path, TASK | {"exp_handoff_path": ["transfer_to_moon"]}))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"metadata": {**TASK["metadata"], "difficulty": "extreme"}}, "metadata.difficulty", id="level"),
        pytest.param({"metadata": {**TASK["metadata"], "audio_condition": "storm"}}, "audio_condition", id="audio"),
        pytest.param({"traits": [{"trait_name": "zip"}]}, r"traits\.0\.value", id="trait without value"),
        pytest.param({"exp_tool_calls": "none"}, "exp_tool_calls", id="calls are no list"),
    ],
)
def test_a_wrong_value_is_told_with_file_and_key(
    tmp_path: Path, pack: Pack, change: dict[str, Any], message: str
) -> None:
    with pytest.raises(PackError, match=message) as caught:
        load_suite(pack, write_folder(tmp_path, TASK | change))
    assert caught.value.where.endswith("C1-E1/task.json")


def test_calls_may_be_names_only_and_arguments_may_go_by_three_names(tmp_path: Path, pack: Pack) -> None:
    calls = ["get_patient_summary", {"name": "a", "args": {"x": 1}}, {"name": "b", "arguments": {"x": 2}}, {"name": ""}]
    task = load_suite(pack, write_folder(tmp_path, TASK | {"exp_tool_calls": calls})).tasks["C1-E1"]
    found = [(call.name, dict(call.arguments)) for call in task.expected_calls]
    assert found == [("get_patient_summary", {}), ("a", {"x": 1}), ("b", {"x": 2})]


def test_rows_of_other_packs_are_passed_over(tmp_path: Path, pack: Pack) -> None:
    rows = write_rows(tmp_path / "tasks.jsonl", as_row(TASK, "legal"), as_row(TASK))
    assert list(load_suite(pack, rows).tasks) == ["C1-E1"]


def test_a_line_separator_inside_a_text_parts_no_row(tmp_path: Path, pack: Pack) -> None:
    rows = write_rows(tmp_path / "tasks.jsonl", as_row(TASK | {"intent": "one\u2028two\x85three"}))
    assert load_suite(pack, rows).tasks["C1-E1"].file.intent == "one\u2028two\x85three"


def test_a_broken_row_is_told_by_its_line(tmp_path: Path, pack: Pack) -> None:
    path = write_rows(tmp_path / "tasks.jsonl", as_row(TASK))
    path.write_text(path.read_text(encoding="utf-8") + "\n{oops\n", encoding="utf-8")
    with pytest.raises(PackError, match=r"tasks\.jsonl:3: column 2: broken JSON"):
        load_suite(pack, path)


@pytest.mark.parametrize("change", [{"task_id": ""}, {"task_id": None}])
def test_a_row_without_id_is_refused(tmp_path: Path, pack: Pack, change: dict[str, Any]) -> None:
    with pytest.raises(PackError, match="task_id"):
        load_suite(pack, write_rows(tmp_path / "tasks.jsonl", as_row(TASK) | change))


def test_a_task_that_stands_twice_is_refused(tmp_path: Path, pack: Pack) -> None:
    with pytest.raises(PackError, match="C1-E1 stands twice"):
        load_suite(pack, write_rows(tmp_path / "tasks.jsonl", as_row(TASK), as_row(TASK)))


def test_the_expected_state_may_stand_beside_the_task(tmp_path: Path, pack: Pack) -> None:
    task = {key: value for key, value in TASK.items() if key != "exp_db_state"}
    write_folder(tmp_path, task)
    (tmp_path / "C1-E1" / "exp_db_state.json").write_text('{"patients": [1]}', encoding="utf-8")
    assert load_suite(pack, tmp_path).tasks["C1-E1"].raw["exp_db_state"] == {"patients": [1]}


def test_a_row_whose_id_is_a_number_is_told(tmp_path: Path, pack: Pack) -> None:
    with pytest.raises(PackError, match=r"tasks\.jsonl:1: task_id must be a text"):
        load_suite(pack, write_rows(tmp_path / "tasks.jsonl", as_row(TASK) | {"task_id": 7}))


@pytest.mark.parametrize(
    ("path", "message"),
    [
        pytest.param("nowhere", r"nowhere: no such file or folder; give a folder of .*tasks\.jsonl", id="nowhere"),
        pytest.param("empty", r"empty: no tasks there; give a folder of .*tasks\.jsonl", id="empty folder"),
        pytest.param(
            "suite/C1-E1/task.json", "is a single task; give the folder above its folder: .*/suite$", id="task"
        ),
        pytest.param("suite/C1-E1", "is the folder of one task; give its parent: .*/suite$", id="folder of a task"),
    ],
)
def test_a_path_without_tasks_says_what_to_give(tmp_path: Path, pack: Pack, path: str, message: str) -> None:
    (tmp_path / "empty").mkdir()
    write_folder(tmp_path / "suite", TASK)
    with pytest.raises(UnknownName, match=message):
        load_suite(pack, tmp_path / path)


@pytest.mark.parametrize("key", ["exp_tool_calls", "behaviors", "colour"])
def test_a_deeply_nested_task_is_told_shortly(tmp_path: Path, pack: Pack, key: str) -> None:
    folder = write_folder(tmp_path, TASK)
    text = json.dumps(TASK | {key: "DEEP"}).replace('"DEEP"', "[" * 400 + "]" * 400)
    (folder / "C1-E1" / "task.json").write_text(text, encoding="utf-8")
    with pytest.raises(PackError, match="nested too deeply"):
        load_suite(pack, folder)


def test_a_task_that_expects_nothing_is_known(tmp_path: Path, pack: Pack) -> None:
    suite = load_suite(pack, write_folder(tmp_path, TASK | {"exp_tool_calls": [], "exp_handoff_path": []}))
    assert suite.expects_nothing("C1-E1")
    assert not load_suite(pack, write_folder(tmp_path / "other", TASK)).expects_nothing("C1-E1")


TRANSFERS = {
    "legal": ("screening", "intake", "scheduling", "client_services"),
    "customer-support": ("verification", "orders", "returns", "service", "membership", "fraud"),
}


def pack_of(name: str, copy_pack: Any, edit: Any) -> Pack:
    """The pack, or while it isn't written a stand-in that knows its transfers only."""
    if name == "healthcare":
        return load_pack(name)
    folder = copy_pack("control-industry")
    edit(folder / "pack.json", lambda data: data.update(id=name))
    edit(
        folder / "scoring.json",
        lambda data: data.update(transfer_set=[f"transfer_to_{node}" for node in TRANSFERS[name]]),
    )
    return load_pack(str(folder))


@pytest.mark.parametrize("name", ["healthcare", "legal", "customer-support"])
def test_the_public_sample_loads_unchanged(name: str, copy_pack: Any, edit: Any, reference_tasks: Path) -> None:
    suite: Suite = load_suite(pack_of(name, copy_pack, edit), reference_tasks / name)
    assert len(suite.tasks) == 12
    assert not suite.warnings
    for task_id, task in suite.tasks.items():
        assert task.file.task_name.startswith(f"{task_id}:")
        original = json.loads((reference_tasks / name / task_id / "task.json").read_text(encoding="utf-8"))
        for pin in original["scripted_responses"]:
            pin.setdefault("occurrence_mode", "always")
        normalised = {**task.raw, "scripted_responses": [dict(pin) for pin in task.raw["scripted_responses"]]}
        assert normalised == original
