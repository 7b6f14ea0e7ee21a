"""A system prompt is the core, a blank line, and the node's own part; what is checked in is what is generated."""

from __future__ import annotations

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
