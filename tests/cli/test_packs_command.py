"""`mivas packs`: JSON documents, exit codes, generated files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import mivas.cli
from mivas.errors import InputError, MivasError, PackError, UnknownName
from mivas.pack import json_schemas, load_pack, load_suite, mermaid, pack_folder

REPOSITORY = Path(__file__).parents[2]


def packs(*arguments: str) -> Result:
    return CliRunner().invoke(mivas.cli.app, ["packs", *arguments], catch_exceptions=True)


def document(*arguments: str) -> Any:
    result = packs(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of healthcare without tasks."""
    target = tmp_path / "healthcare"
    shutil.copytree(pack_folder("healthcare"), target, ignore=shutil.ignore_patterns("tasks", "__pycache__"))
    return target


@pytest.fixture
def control(tmp_path: Path) -> Path:
    """A copy of control-industry: its handlers import from its own file alone."""
    target = tmp_path / "control"
    shutil.copytree(pack_folder("control-industry"), target, ignore=shutil.ignore_patterns("tasks", "__pycache__"))
    return target


@pytest.fixture
def sample(monkeypatch: pytest.MonkeyPatch) -> str:
    """Public sample tasks of healthcare, where they exist."""
    root = Path(os.environ.get("MIVAS_REFERENCE") or REPOSITORY.parent / "shared" / "reference")
    if not (root / "tasks" / "healthcare").is_dir():
        pytest.skip("no sample data of the public release here")
    monkeypatch.setenv("MIVAS_REFERENCE", str(root))
    return str(root / "tasks" / "healthcare")


def test_list_has_the_contracts_keys() -> None:
    rows = {row["id"]: row for row in document("list")}
    keys = ["id", "title", "pack_version", "suite", "suite_hash", "cases", "nodes", "tools"]
    assert all(list(row) == keys for row in rows.values())
    assert (rows["healthcare"]["nodes"], rows["healthcare"]["tools"]) == (7, 35)
    assert (rows["control-industry"]["nodes"], rows["control-industry"]["tools"]) == (2, 3)
    assert all(len(row["suite_hash"]) == 16 for row in rows.values())


def test_list_for_people_fits_80_columns() -> None:
    result = packs("list")
    assert "control-industry" in result.output
    assert all(len(line) <= 80 for line in result.output.splitlines())


def test_lint_of_our_packs_is_clean() -> None:
    assert document("lint") == []
    assert packs("lint", "healthcare").output == "0 findings\n"


def test_lint_of_the_public_tasks_is_clean(sample: str) -> None:
    assert document("lint", "healthcare", "--tasks", sample) == []


def test_lint_exits_1_with_findings(folder: Path) -> None:
    (folder / "agent_blueprint.mmd").write_text("flowchart TD\n", encoding="utf-8")
    result = packs("lint", str(folder))
    assert result.exit_code == 1
    assert "healthcare/agent_blueprint.mmd: doesn't show this blueprint; run" in result.output
    assert result.output.endswith("1 finding\n")


def test_lint_json_names_pack_where_what_mend(folder: Path) -> None:
    (folder / "agent_blueprint.png").unlink()
    result = packs("lint", str(folder), "--json")
    assert result.exit_code == 1
    assert [list(finding) for finding in json.loads(result.stdout)] == [["pack", "where", "what", "mend"]]


def test_lint_sees_a_catalogue_that_drifted_from_the_handlers(control: Path) -> None:
    text = (control / "tools.json").read_text(encoding="utf-8")
    (control / "tools.json").write_text(text.replace("Agreed calendar date", "Any date"), encoding="utf-8")
    result = packs("lint", str(control))
    assert result.exit_code == 1
    assert "control-industry/tools.json: differs from tools.py" in result.output


def test_lint_sees_tools_that_nobody_answers_or_posts(control: Path) -> None:
    blueprint = control / "agent_blueprint.json"
    flagged = '{"name": "schedule_appointment", "handoff": true, "handoff_to": "receptionist"}'
    text = blueprint.read_text(encoding="utf-8").replace('{"name": "schedule_appointment"}', flagged)
    blueprint.write_text(
        text.replace('{"name": "end_call", "session": true}', '{"name": "end_call"}'), encoding="utf-8"
    )
    output = packs("lint", str(control)).output
    assert "tools.py: no handler answers end_call" in output
    assert "tools.py: schedule_appointment is answered, but never posted" in output


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An installed pack whose module isn't there."""
    info = tmp_path / "site" / "acme-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[mivas.packs]\nacme = acme_nowhere.pack\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    return "acme"


def test_a_broken_pack_keeps_no_other_from_the_list(broken: str) -> None:
    rows = {row["id"]: row for row in document("list")}
    assert rows[broken]["cases"] is None
    assert "acme_nowhere.pack isn't importable" in rows[broken]["error"]
    assert rows["healthcare"]["nodes"] == 7
    assert "error" not in rows["healthcare"]
    result = packs("list")
    assert result.exit_code == 0
    assert "acme broken - -" in " ".join(result.stdout.split())
    assert result.stderr.startswith("broken: pack acme: module acme_nowhere.pack isn't importable")


def test_a_broken_pack_is_a_finding_of_lint(broken: str) -> None:
    result = packs("lint", "--json")
    assert result.exit_code == 1
    (finding,) = json.loads(result.stdout)
    assert (finding["pack"], finding["mend"]) == (broken, "reinstall its distribution")
    assert isinstance(packs("lint", broken).exception, PackError)


PROGRAM_BREAKS: list[Any] = [
    pytest.param({"refuses": ["dancing"]}, "refuses: unknown offer 'dancing'", id="offer"),
    pytest.param({"exit": {"when": ["refund"], "say": "Bye."}}, "exit: unknown goal 'refund'", id="exit"),
    pytest.param({"pins": [{"index": 99, "when": {"offer": "text"}}]}, "pin 99: the task has ", id="pin"),
    pytest.param(
        {"facts": [{"id": "x", "value": "x", "say": "x", "answers": ["mood"]}]},
        "unknown question 'mood'",
        id="question",
    ),
]


@pytest.mark.parametrize(("change", "finding"), PROGRAM_BREAKS)
def test_lint_tells_the_caller_program_that_a_run_would_refuse(
    tmp_path: Path, change: dict[str, Any], finding: str
) -> None:
    (task,) = sorted((pack_folder("healthcare") / "tasks").glob("*/caller.json"))[:1]
    shutil.copytree(task.parent, tmp_path / "mine" / task.parent.name)
    program = tmp_path / "mine" / task.parent.name / "caller.json"
    program.write_text(json.dumps(json.loads(program.read_text(encoding="utf-8")) | change), encoding="utf-8")
    result = packs("lint", "healthcare", "--tasks", str(tmp_path / "mine"))
    assert result.exit_code == 1
    assert f"healthcare/{task.parent.name}/caller.json: " in result.output
    assert finding in result.output


def test_lint_before_the_first_write_tells_what_to_run(control: Path) -> None:
    (control / "tools.json").unlink()
    assert f"run `mivas packs graph {control} --write`" in str(packs("lint", str(control)).exception)


def test_lint_takes_other_tasks_for_one_pack_only(tmp_path: Path) -> None:
    for names in ((), ("healthcare", "control-industry")):
        assert isinstance(packs("lint", *names, "--tasks", str(tmp_path)).exception, InputError)


def test_graph_prints_mermaid() -> None:
    assert packs("graph", "healthcare").stdout == mermaid(load_pack("healthcare"))


def test_graph_json_lists_transfers_and_ways_to_a_person() -> None:
    drawn = document("graph", "healthcare")
    assert drawn["entry"] == "reception"
    assert len([edge for edge in drawn["edges"] if edge["to"] != "human"]) == 12
    assert len([edge for edge in drawn["edges"] if edge["to"] == "human"]) == 7


def test_graph_draws_a_picture(tmp_path: Path) -> None:
    result = packs("graph", "control-industry", "--png", str(tmp_path / "graph.png"))
    assert result.exit_code == 0
    assert (tmp_path / "graph.png").read_bytes().startswith(b"\x89PNG")
    assert result.stdout.startswith("flowchart TD")


def test_graph_write_renews_every_generated_file(control: Path) -> None:
    generated = ["tools.json", "agent_blueprint.mmd", "system-prompts/receptionist.md"]
    before = {name: (control / name).read_text(encoding="utf-8") for name in generated}
    for name in (*generated, "agent_blueprint.png"):
        (control / name).unlink()
    result = packs("graph", str(control), "--write")
    assert result.exit_code == 0, result.output
    assert {name: (control / name).read_text(encoding="utf-8") for name in generated} == before
    assert (control / "agent_blueprint.png").is_file()
    assert packs("lint", str(control)).exit_code == 0


@pytest.mark.parametrize("name", ["tools.json", "agent_blueprint.mmd", "system-prompts/receptionist.md"])
def test_graph_write_tells_a_generated_file_that_is_a_folder(control: Path, name: str) -> None:
    (control / name).unlink()
    (control / name).mkdir()
    error = packs("graph", str(control), "--write").exception
    assert isinstance(error, MivasError)
    assert str(error).startswith(f"{control / name}: can't be ")


@pytest.mark.parametrize("before", [None, "", " \n"], ids=["no catalogue", "empty", "blank"])
def test_graph_write_that_fails_leaves_no_stub(control: Path, before: str | None) -> None:
    catalogue = control / "tools.json"
    catalogue.unlink()
    if before is not None:
        catalogue.write_text(before, encoding="utf-8")
    (control / "tools.py").write_text("raise SystemExit\n", encoding="utf-8")
    assert isinstance(packs("graph", str(control), "--write").exception, PackError)
    assert (catalogue.read_text(encoding="utf-8") if catalogue.is_file() else None) == before


def test_graph_write_leaves_a_sound_pack_alone(control: Path) -> None:
    times = {path: path.stat().st_mtime_ns for path in control.rglob("*.*")}
    assert "wrote" not in packs("graph", str(control), "--write").stderr
    assert {path: path.stat().st_mtime_ns for path in times} == times


def test_tasks_lists_the_cases(sample: str) -> None:
    listed = document("tasks", "healthcare", "--tasks", sample)
    assert (listed["pack"], listed["suite"], len(listed["tasks"])) == ("healthcare", "public-2026-08", 12)
    by_id = {row["task_id"]: row for row in listed["tasks"]}
    assert by_id["C2-M1"]["path"] == ["transfer_to_identity", "transfer_to_scheduling"]
    assert (by_id["C2-M1"]["calls"], by_id["C2-M1"]["writes"]) == (6, {"appointments": 1})
    assert by_id["C1-E1"]["writes"] == {}


def test_tasks_for_people_fits_80_columns(sample: str) -> None:
    result = packs("tasks", "healthcare", "--tasks", sample)
    assert result.stderr.startswith("12 cases, suite public-2026-08 ")
    assert all(len(line) <= 80 for line in result.stdout.splitlines())


def test_one_case_is_no_cases(tmp_path: Path, sample: str) -> None:
    shutil.copytree(Path(sample) / "C1-E1", tmp_path / "mine" / "C1-E1")
    assert packs("tasks", "healthcare", "--tasks", str(tmp_path / "mine")).stderr.startswith("1 case, suite ")


def test_a_kept_key_is_warned_about_on_stderr(tmp_path: Path, sample: str) -> None:
    shutil.copytree(sample, tmp_path / "mine")
    path = tmp_path / "mine" / "C1-E1" / "task.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | {"colour": "red"}), encoding="utf-8")
    result = packs("tasks", "healthcare", "--tasks", str(tmp_path / "mine"), "--json")
    assert "warning: " in result.stderr
    assert "'colour' kept" in result.stderr
    json.loads(result.stdout)


def test_tasks_prints_the_prompt_of_a_node() -> None:
    prompt = load_pack("healthcare").blueprint.by_id["billing"].instructions
    assert packs("tasks", "healthcare", "--prompt", "billing").stdout.strip() == prompt.strip()
    assert document("tasks", "healthcare", "--prompt", "billing")["prompt"] == prompt


def test_tasks_prints_its_cases_as_one_text() -> None:
    said = packs("tasks", "healthcare", "--only", "C1-E1,C2-*", "--prompt").stdout
    tasks = load_suite(load_pack("healthcare")).tasks
    chosen = [task for task_id, task in tasks.items() if task_id == "C1-E1" or task_id.startswith("C2-")]
    assert said.count("\n## ") == len(chosen) > 1
    assert all(f"\n## {task.file.task_name}\n" in said for task in chosen)
    assert document("tasks", "healthcare", "--only", "C1-E1,C2-*", "--prompt")["prompt"] == said


def test_a_glob_chooses_among_the_listed_cases() -> None:
    assert [row["task_id"] for row in document("tasks", "legal", "--only", "C1-E?")["tasks"]] == ["C1-E1", "C1-E2"]


def test_schema_prints_one_or_names_all() -> None:
    assert packs("schema").stdout.split() == list(json_schemas())
    assert json.loads(packs("schema", "task").stdout) == json_schemas()["task"]
    assert document("schema") == json_schemas()


@pytest.mark.parametrize(
    ("arguments", "choices"),
    [
        (("graph", "nowhere"), "healthcare"),
        (("tasks", "healthcare", "--prompt", "nobody"), "reception"),
        (("schema", "nothing"), "scoring"),
        (("tasks", "healthcare", "--tasks", "nowhere"), "tasks.jsonl"),
    ],
)
def test_an_unknown_name_tells_the_known_ones(arguments: tuple[str, ...], choices: str) -> None:
    error = packs(*arguments).exception
    assert isinstance(error, UnknownName)
    assert choices in str(error)


def test_bad_input_is_one_line_and_exit_2() -> None:
    script = "import sys; from mivas.cli import main; sys.argv = ['mivas', 'packs', 'graph', 'nowhere']; main()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("mivas: ")
    assert done.stderr.count("\n") == 1


def test_the_module_imports_nothing_heavy() -> None:
    script = (
        "import sys; import mivas.cli.packs; print([m for m in ('pydantic', 'rich', 'mivas.pack') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
