"""`mivas check`: one line when a pair fits, one line and exit code 1 when it doesn't."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mivas.cli.check import command
from mivas.errors import UnknownName
from mivas.pack import load_pack


def check(*arguments: str, **environment: str) -> Result:
    variables = {"INDUSTRY": "", "HARNESS": "", "VOICE_AGENT": ""} | environment
    return CliRunner().invoke(command, arguments, env=variables)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A pack folder to break."""
    return Path(shutil.copytree(load_pack("control-industry").folder, tmp_path / "pack"))


def test_one_ok_line_names_start_agents_and_tools() -> None:
    done = check()
    assert done.exit_code == 0, done.output
    (line,) = done.stdout.splitlines()
    assert line.startswith("ok control-industry with oracle: start agent receptionist; 2 agents")
    assert "3 tools: handoff_to_scheduler, end_call, schedule_appointment" in line


@pytest.mark.parametrize("pack", ["control-industry", "healthcare"])
def test_json_is_one_document(pack: str) -> None:
    done = check(pack, "--json")
    found = json.loads(done.stdout)
    assert found["ok"] is True
    assert found["pack"] == pack
    assert found["start"] == found["agents"][0]
    assert found["called"] in found["tools"]


def test_environment_gives_the_defaults() -> None:
    assert json.loads(check("--json", HARNESS="nop").stdout)["harness"] == "nop"
    assert isinstance(check("--json", INDUSTRY="nosuch").exception, UnknownName)


def test_an_unknown_harness_is_named_before_anything_starts() -> None:
    error = check("--harness", "nosuch").exception
    assert isinstance(error, UnknownName)
    assert "choose from" in str(error)


def test_an_undeclared_tool_fails_the_check(copy: Path) -> None:
    tools = json.loads((copy / "tools.json").read_text())
    tools["tools"] = [tool for tool in tools["tools"] if tool["name"] != "end_call"]
    (copy / "tools.json").write_text(json.dumps(tools))
    done = check(str(copy))
    assert done.exit_code == 1
    assert done.stdout == ""
    assert "end_call" in done.stderr


def test_an_answer_out_of_its_schema_fails_the_check(copy: Path) -> None:
    tools = json.loads((copy / "tools.json").read_text())
    for tool in tools["tools"]:
        tool["outputSchema"]["required"] = ["ok"]
    (copy / "tools.json").write_text(json.dumps(tools))
    done = check(str(copy), "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["ok"] is False
    assert "outputSchema" in json.loads(done.stdout)["error"]


def test_a_handler_that_breaks_fails_the_check(copy: Path) -> None:
    tools = copy / "tools.py"
    tools.write_text(
        tools.read_text().replace(
            '    call.insert("appointments"', '    raise KeyError("x")\n    call.insert("appointments"'
        )
    )
    done = check(str(copy), "--json")
    assert done.exit_code == 1
    assert "handler of schedule_appointment broke" in json.loads(done.stdout)["error"]
