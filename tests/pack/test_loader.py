"""A pack is found by name or path; a wrong file is one line that names file, spot and remedy."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from mivas.errors import PackError, UnknownName
from mivas.pack import known_packs, load_pack, pack_folder


def test_a_pack_loads_by_name_and_by_path() -> None:
    by_name, by_path = load_pack("healthcare"), load_pack(str(pack_folder("healthcare")))
    assert by_name.blueprint == by_path.blueprint
    assert by_name.tools == by_path.tools
    assert (by_name.module, by_path.module) == ("mivas.industries.healthcare", None)


def test_our_packs_are_known() -> None:
    assert {"control-industry", "healthcare"} <= set(known_packs())


@pytest.mark.parametrize("name", ["no-such-pack", "", "/", "tests/nowhere"])
def test_an_unknown_pack_names_the_known_ones(name: str) -> None:
    with pytest.raises(UnknownName, match="healthcare"):
        load_pack(name)


def test_the_clock_is_the_last_line_of_every_prompt() -> None:
    pack = load_pack("healthcare")
    assert pack.clock == datetime.fromisoformat("2026-08-19T12:00")
    for node in pack.blueprint.nodes:
        assert node.instructions.endswith("\n\nToday is Wednesday, 19 August 2026, 12:00.\n")
        assert node.instructions.count("Today is") == 1


def test_without_a_clock_a_prompt_is_its_file() -> None:
    pack = load_pack("control-industry")
    for node in pack.blueprint.nodes:
        file = pack.folder / "system-prompts" / f"{node.id}.md"
        assert node.instructions == file.read_text(encoding="utf-8")


def test_kinds_of_tools_follow_from_their_flags() -> None:
    reception = load_pack("healthcare").blueprint.entry
    kinds = {tool.name: tool.kind for tool in reception.tools}
    assert kinds["list_locations"] == "industry"
    assert kinds["transfer_to_identity"] == "handoff"
    assert kinds["transfer_to_human"] == "human"
    assert kinds["end_call"] == "end_call"


@pytest.mark.parametrize(
    "file",
    [
        "tools.json",
        "agent_blueprint.json",
        "scoring.json",
        "db/schema.sql",
        "db/seed.sql",
        "system-prompts/coverage.md",
    ],
)
def test_a_missing_file_is_named(copy_pack: Any, file: str) -> None:
    folder = copy_pack("healthcare")
    (folder / file).unlink()
    with pytest.raises(PackError, match="file is missing") as caught:
        load_pack(str(folder))
    assert caught.value.where == str(folder / file)


@pytest.mark.parametrize("file", ["tools.json", "system-prompts/coverage.md"])
def test_a_missing_generated_file_tells_the_command_that_writes_it(copy_pack: Any, file: str) -> None:
    folder = copy_pack("healthcare")
    (folder / file).unlink()
    with pytest.raises(PackError) as caught:
        load_pack(str(folder))
    assert caught.value.mend == f"run `mivas packs graph {folder} --write`"


@pytest.fixture
def register(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Install a distribution that names a module as its pack `acme`."""

    def install(module: str) -> None:
        info = tmp_path / "site" / "acme-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[mivas.packs]\nacme = {module}\n")
        (tmp_path / "site" / "acme_exits").mkdir()
        (tmp_path / "site" / "acme_exits" / "__init__.py").write_text("raise SystemExit(3)\n")
        monkeypatch.syspath_prepend(str(tmp_path / "site"))

    return install


@pytest.mark.parametrize(
    ("module", "message"),
    [
        ("acme_nowhere", "module acme_nowhere isn't importable"),
        ("acme_nowhere.pack", "module acme_nowhere.pack isn't importable .ModuleNotFoundError"),
        ("acme_exits.pack", "module acme_exits.pack isn't importable .SystemExit: 3"),
        ("json.decoder", "module json.decoder isn't importable"),
    ],
    ids=["no module", "no parent", "parent that exits", "no package"],
)
def test_an_installed_pack_without_its_module_is_told(register: Any, module: str, message: str) -> None:
    register(module)
    with pytest.raises(PackError, match=message):
        load_pack("acme")


def test_a_folder_without_pack_json_is_no_pack(copy_pack: Any) -> None:
    folder = copy_pack("healthcare")
    (folder / "pack.json").unlink()
    with pytest.raises(UnknownName):
        load_pack(str(folder))


def test_broken_json_is_told_with_line_and_column(copy_pack: Any) -> None:
    folder: Path = copy_pack("healthcare")
    (folder / "scoring.json").write_text('{\n  "version": 1,\n  oops\n}', encoding="utf-8")
    with pytest.raises(PackError, match=r"scoring\.json:3:3: broken JSON"):
        load_pack(str(folder))


def test_text_that_is_no_utf8_is_told_with_its_byte(copy_pack: Any) -> None:
    folder: Path = copy_pack("healthcare")
    (folder / "db/seed.sql").write_bytes(b"-- \xff")
    with pytest.raises(PackError, match="not UTF-8 at byte 3"):
        load_pack(str(folder))


@pytest.mark.parametrize(
    ("file", "change", "message"),
    [
        pytest.param("pack.json", lambda d: d.update(colour="red"), "colour: Extra inputs", id="unknown key"),
        pytest.param("pack.json", lambda d: d.pop("canary"), "canary: Field required", id="missing key"),
        pytest.param("pack.json", lambda d: d.update(version=2), "version", id="other version"),
        pytest.param("pack.json", lambda d: d.update(clock="noon"), "clock", id="no clock"),
        pytest.param("pack.json", lambda d: d.update(clock="2026-08-19T12:00+02:00"), "clock", id="clock with a zone"),
        pytest.param("pack.json", lambda d: d.update(id="Health Care"), "id: String should match", id="bad id"),
        pytest.param("pack.json", lambda d: d.update(suite="my suite"), "suite: String should match", id="bad suite"),
        pytest.param("pack.json", lambda d: d.update(suite="../x"), "suite: String should match", id="suite is a path"),
        pytest.param(
            "pack.json",
            lambda d: d["envelope"].update(message="ok"),
            "envelope: two fields of an answer can't both be called 'ok'",
            id="one name for two fields",
        ),
        pytest.param(
            "agent_blueprint.json",
            lambda d: d["agents"][1].update(system_prompt="../../secret.md"),
            r"system_prompt '../../secret\.md' of identity leaves the pack's folder",
            id="prompt above the pack",
        ),
        pytest.param(
            "agent_blueprint.json",
            lambda d: d["agents"][1].update(system_prompt="/etc/hostname"),
            "leaves the pack's folder",
            id="prompt at the root",
        ),
        pytest.param("pack.json", lambda d: d.update(pack_version="1"), "pack_version", id="bad version"),
        pytest.param("tools.json", lambda d: d["tools"][0].update(x=1), r"tools\.0\.x: Extra", id="unknown tool key"),
        pytest.param(
            "tools.json",
            lambda d: d["tools"][0]["inputSchema"].update(properties=[]),
            "inputSchema: properties must be an object",
            id="list of properties",
        ),
        pytest.param(
            "tools.json",
            lambda d: d["tools"][0]["inputSchema"].update(properties={"x": {"items": 3}}),
            "inputSchema: schema of items must be an object",
            id="items are a number",
        ),
        pytest.param("agent_blueprint.json", lambda d: d.update(agents=[]), "agents", id="no agents"),
        pytest.param(
            "agent_blueprint.json",
            lambda d: d["agents"][0]["tools"][4].update(handoff_to="moon"),
            "reception.transfer_to_identity hands off to unknown agent 'moon'",
            id="bad handoff target",
        ),
        pytest.param(
            "agent_blueprint.json",
            lambda d: d["agents"][1].update(name="reception"),
            "agent 'reception' stands twice",
            id="agent twice",
        ),
        pytest.param(
            "agent_blueprint.json",
            lambda d: d["agents"][0]["tools"][4].pop("handoff_to"),
            "handoff true needs handoff_to",
            id="handoff to nowhere",
        ),
        pytest.param(
            "agent_blueprint.json",
            lambda d: d["agents"][0]["tools"][4].update(session=True),
            "a handoff or a session tool",
            id="two kinds at once",
        ),
        pytest.param(
            "scoring.json", lambda d: d["equality"].append({"key": "x", "kind": "magic"}), "kind", id="unknown kind"
        ),
    ],
)
def test_a_wrong_value_is_told_with_file_and_key(
    copy_pack: Any, edit: Any, file: str, change: Any, message: str
) -> None:
    folder = copy_pack("healthcare")
    edit(folder / file, change)
    with pytest.raises(PackError, match=message) as caught:
        load_pack(str(folder))
    assert str(folder / file) in str(caught.value)
    assert "\n" not in str(caught.value)
