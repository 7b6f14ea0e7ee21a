"""A pack's `tools.py` is foreign code: whatever it does at import is one line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typing_extensions import TypedDict

from mivas.errors import PackError
from mivas.pack import load_pack, pack_folder
from mivas.state import Refusal, Toolset, advertised, catalogue_text, load_toolset
from mivas.state._template import build_template

HEAD = """
from typing import TypedDict
from mivas.state import Refusal, Toolset, advertised

class Nothing(TypedDict):
    pass

UNEXPECTED = Refusal("unexpected", "Sorry.")
ONE = advertised("one", "The first.", Nothing)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    target = tmp_path / "control"
    shutil.copytree(pack_folder("control-industry"), target, ignore=shutil.ignore_patterns("tasks", "__pycache__"))
    return target


@pytest.mark.parametrize(
    ("code", "message"),
    [
        pytest.param("import sys\nsys.exit()", "can't be imported: SystemExit", id="exit"),
        pytest.param("raise SystemExit(3)", "can't be imported: SystemExit: 3", id="exit with a code"),
        pytest.param("1 / 0", "can't be imported: ZeroDivisionError: division by zero", id="exception"),
        pytest.param("def (", "can't be imported: SyntaxError", id="syntax"),
        pytest.param("", "exports no TOOLS", id="nothing"),
        pytest.param("TOOLS = [ONE]", "exports no TOOLS", id="list"),
        pytest.param(
            "TOOLS = Toolset(tools=('a',), unexpected=UNEXPECTED)", "tools.0 of TOOLS is 'a', no tool", id="text"
        ),
        pytest.param(
            "TOOLS = Toolset(tools=(ONE, lambda: 0), unexpected=UNEXPECTED)",
            "tools.1 of TOOLS is a function, no tool",
            id="function without decorator",
        ),
        pytest.param("TOOLS = Toolset(tools=ONE, unexpected=UNEXPECTED)", "tools of TOOLS are no tuple", id="no tuple"),
        pytest.param(
            "TOOLS = Toolset(tools=(ONE, ONE), unexpected=UNEXPECTED)",
            "TOOLS has 2 tools called 'one'",
            id="name twice",
        ),
        pytest.param(
            "TOOLS = Toolset(tools=(ONE,), unexpected='Sorry.')", "unexpected of TOOLS is no Refusal", id="no refusal"
        ),
    ],
)
def test_broken_tools_are_told(folder: Path, code: str, message: str) -> None:
    (folder / "tools.py").write_text(HEAD + code + "\n", encoding="utf-8")
    with pytest.raises(PackError) as caught:
        load_toolset(load_pack(str(folder)))
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(folder / "tools.py"))


class Inner(TypedDict):
    pass


class Nested(TypedDict):
    inner: Inner


class Opaque:
    pass


class Unknown(TypedDict):
    value: Opaque


@pytest.mark.parametrize(
    ("input_type", "message"),
    [
        pytest.param(Nested, "Nested needs \\$defs", id="nested"),
        pytest.param(Unknown, "Unknown has no schema", id="no schema"),
    ],
)
def test_a_type_agents_cant_follow_is_told(input_type: type, message: str) -> None:
    toolset = Toolset(tools=(advertised("one", "The first.", input_type),), unexpected=Refusal("x", "Sorry."))
    with pytest.raises(PackError, match=message):
        catalogue_text(toolset, load_pack("control-industry").envelope)


def test_a_table_named_as_the_services_own_is_told(folder: Path) -> None:
    with (folder / "db/schema.sql").open("a", encoding="utf-8") as file:
        file.write("CREATE TABLE _mivas_calls (id TEXT);\n")
    with pytest.raises(PackError, match="the name _mivas_calls is reserved"):
        build_template(load_pack(str(folder)))
