"""System prompts from their sources: the shared rules once, each node's part once (formats.md 1)."""

from __future__ import annotations

from pathlib import Path

from mivas.errors import PackError
from mivas.pack._reading import read_text

SOURCES, GENERATED, CORE = "prompts", "system-prompts", "core.md"


def generated_prompts(folder: Path) -> dict[str, str]:
    """Text of every system prompt of a pack folder, keyed by its path relative to the folder.

    A node's prompt is `prompts/core.md`, a blank line, then `prompts/<node>.md`; without a core just the latter. Empty
    when the pack keeps no sources. Raises PackError when a source can't be read.
    """
    sources = {path.name: read_text(path) for path in sorted((folder / SOURCES).glob("*.md"))}
    core = sources.pop(CORE, None)
    return {f"{GENERATED}/{name}": _joined(core, text) for name, text in sources.items()}


def write_prompts(folder: Path) -> tuple[Path, ...]:
    """Write every system prompt of a pack folder; returns the files that changed. Raises PackError when it can't."""
    changed = []
    for relative, text in generated_prompts(folder).items():
        path = folder / relative
        try:
            if not path.is_file() or path.read_text(encoding="utf-8", errors="replace") != text:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
                changed.append(path)
        except OSError as error:
            raise PackError(
                f"can't be written ({error.strerror})", where=str(path), mend="check path and permissions"
            ) from None
    return tuple(changed)


def _joined(core: str | None, text: str) -> str:
    node = text.strip("\n") + "\n"
    return node if core is None else core.strip("\n") + "\n\n" + node
