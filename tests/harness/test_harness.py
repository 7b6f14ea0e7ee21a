"""Finding a harness by name. Source: formats.md 7, style.md 9."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mivas.errors import UnknownName
from mivas.harness import known_harnesses, load_harness

PLUG_IN = """
import sys

from mivas.harness import Capabilities

class Echo:
    name, revision = "acme/echo", "1"
    capabilities = Capabilities(modes=("text",), clock="virtual")

    def __init__(self, argument):
        self.argument = argument

    def answer(self, desk):
        raise NotImplementedError

def echo(argument):
    return Echo(argument)

def keyless(argument):
    raise RuntimeError("ACME_KEY is not set")

def quitting(argument):
    sys.exit(0)

def nothing(argument):
    return None
"""


@pytest.fixture
def plug_ins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A distribution with one sound plug-in and six broken ones, installed in a folder on the path."""
    name = "plug_ins_of_a_test"
    (tmp_path / f"{name}.py").write_text(PLUG_IN)
    (tmp_path / f"{name}_broken.py").write_text("this is no Python")
    info = tmp_path / "acme_voice-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-voice\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[mivas.harnesses]\n"
        f"acme/echo = {name}:echo\nacme/absent = {name}_absent:echo\n"
        f"acme/broken = {name}_broken:echo\nacme/nameless = {name}:no_such_name\n"
        f"acme/keyless = {name}:keyless\nacme/quitting = {name}:quitting\nacme/nothing = {name}:nothing\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for module in [one for one in sys.modules if one.startswith(name)]:
        del sys.modules[module]


def test_a_name_nobody_knows_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match=r"no harness 'orakel'; choose from .*nop.*oracle"):
        load_harness("orakel")


@pytest.mark.parametrize("name", ["oracle:x", "nop:x"])
def test_an_argument_nobody_asked_for_is_refused(name: str) -> None:
    with pytest.raises(UnknownName, match="takes no argument"):
        load_harness(name)


def test_listing_imports_nothing(plug_ins: Path) -> None:
    assert {"acme/echo", "acme/broken", "oracle", "nop"} <= set(known_harnesses())
    assert "plug_ins_of_a_test" not in sys.modules


@pytest.mark.parametrize(
    ("name", "argument"),
    [("acme/echo", None), ("acme/echo:", None), ("acme/echo:wss://host:1/x", "wss://host:1/x")],
)
def test_the_text_after_the_first_colon_is_the_argument(plug_ins: Path, name: str, argument: str | None) -> None:
    assert load_harness(name).argument == argument


@pytest.mark.parametrize("name", ["acme/absent", "acme/broken", "acme/nameless"])
def test_a_plug_in_that_fails_names_its_distribution(plug_ins: Path, name: str) -> None:
    with pytest.raises(UnknownName, match=rf"^distribution acme-voice: harness '{name}' can't be imported"):
        load_harness(name)


def test_a_broken_plug_in_disturbs_no_other(plug_ins: Path) -> None:
    assert load_harness("oracle").name == "oracle"


@pytest.mark.parametrize(
    ("name", "what"),
    [
        pytest.param("acme/keyless", "can't be built .RuntimeError: ACME_KEY is not set", id="raises"),
        pytest.param("acme/quitting", "can't be built .SystemExit: 0", id="quits"),
        pytest.param("acme/nothing", "made a NoneType, which is no harness", id="makes no harness"),
    ],
)
def test_a_factory_that_makes_no_harness_is_told_as_its_plug_ins_defect(plug_ins: Path, name: str, what: str) -> None:
    with pytest.raises(UnknownName, match=f"^harness {name}: .*{what}"):
        load_harness(name)
