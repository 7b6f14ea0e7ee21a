"""A system prompt is the core, a blank line, and the node's own part; what is checked in is what is generated."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mivas.pack import generated_prompts, known_packs, load_pack, write_prompts


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts/core.md").write_text("# Core\nRule.\n\n", encoding="utf-8")
    (tmp_path / "prompts/desk.md").write_text("\n# Desk\nWork.\n", encoding="utf-8")
    return tmp_path


def test_core_and_node_are_joined_by_one_blank_line(sources: Path) -> None:
    assert generated_prompts(sources) == {"system-prompts/desk.md": "# Core\nRule.\n\n# Desk\nWork.\n"}


def test_without_a_core_the_nodes_file_is_all(sources: Path) -> None:
    (sources / "prompts/core.md").unlink()
    assert generated_prompts(sources) == {"system-prompts/desk.md": "# Desk\nWork.\n"}


def test_without_sources_nothing_is_generated(tmp_path: Path) -> None:
    assert generated_prompts(tmp_path) == {}


def test_only_changed_files_are_written(sources: Path) -> None:
    assert write_prompts(sources) == (sources / "system-prompts/desk.md",)
    assert write_prompts(sources) == ()
    (sources / "system-prompts/desk.md").write_text("edited by hand", encoding="utf-8")
    assert write_prompts(sources) == (sources / "system-prompts/desk.md",)


@pytest.mark.parametrize("name", known_packs())
def test_what_is_checked_in_is_what_is_generated(name: str) -> None:
    folder = load_pack(name).folder
    for relative, text in generated_prompts(folder).items():
        assert (folder / relative).read_text(encoding="utf-8") == text


@pytest.mark.parametrize("name", known_packs())
def test_a_prompt_names_every_tool_of_its_node_but_no_foreign_one(name: str) -> None:
    pack = load_pack(name)
    for node in pack.blueprint.nodes:
        named = set(re.findall(r"`([a-z_0-9]+)`", node.instructions)) & set(pack.tools)
        own = {tool.name for tool in node.tools}
        if name == "control-industry":
            own -= {"end_call"} if node.id == "receptionist" else set()  # its sheet says so
        shared = {"list_locations"}  # the shared rules name the source of office facts to desks without it, too
        assert own <= named, (node.id, own - named)
        assert named - own <= shared, (node.id, named - own)


@pytest.mark.parametrize("name", known_packs())
def test_values_a_prompt_lists_are_those_of_the_schema(name: str) -> None:
    pack = load_pack(name)
    for node in pack.blueprint.nodes:
        for line in node.instructions.splitlines():
            heads = re.match(r"- ((?:`[a-z_]+`(?:, )?)+):", line)
            for tool in re.findall(r"`([a-z_]+)`", heads[1]) if heads else ():
                properties = pack.tool_schemas.get(tool, {}).get("properties", {})
                for key, listed in re.findall(r"`([a-z_]+)` \((`[^)]*`)\)", line[len(heads[0]) :] if heads else ""):
                    declared = properties[key]
                    enum = declared.get("enum") or declared.get("items", {}).get("enum") or [declared.get("const")]
                    assert sorted(re.findall(r"`([^`]+)`", listed)) == sorted(enum), (node.id, tool, key)
