"""No adapter holds a word of a pack, and none makes a tool call out of what was said (design.md 4, Harness core).

Words of a pack: names of its tools and nodes that aren't part of every pack's format, and the names on its door. A tool
call may only come from a provider's event: its name is never written down in an adapter, nor put together from text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import mivas.harness
from mivas.pack import known_packs, load_pack

ADAPTERS = Path(mivas.harness.__file__).parent
EVERYBODYS = {"end_call", "transfer_to_human", "human", "orders", "returns", "front", "legal"}
"""Names that the formats themselves use, or that are plain words."""
SPEECH_NAMES = re.compile(r"(text|words|heard|transcript|said)$")
MATCHERS = {"search", "match", "fullmatch", "findall", "finditer", "startswith", "endswith"}


def pack_words() -> set[str]:
    words: set[str] = set()
    for name in known_packs():
        pack = load_pack(name)
        words |= {name, *pack.tools, *(node.id for node in pack.blueprint.nodes if "_" in node.id)}
        words |= set(re.findall(r"[A-Z][a-z]{4,}", pack.title))
    return words - EVERYBODYS


def sources() -> Iterator[tuple[str, str]]:
    for path in sorted(ADAPTERS.rglob("*.py")):
        yield str(path.relative_to(ADAPTERS)), path.read_text("utf-8")


def words_of_packs(source: str, words: set[str]) -> set[str]:
    return {word for word in words if re.search(rf"(?<![\w/.-]){re.escape(word)}(?![\w.-])", source)}


def inferred_calls(source: str) -> list[int]:
    """Lines that give `.call(` a name that was written down or made up, or that branch on what was said."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "call" and node.args and not _is_a_providers(node.args[0]):
                found.append(node.lineno)
            if node.func.attr in MATCHERS and any(_is_speech(part) for part in [*node.args, node.func.value]):
                found.append(node.lineno)
        looks_inside = isinstance(node, ast.Compare) and any(isinstance(op, ast.In | ast.NotIn) for op in node.ops)
        if looks_inside and any(_is_speech(part) for part in node.comparators):
            found.append(node.lineno)
    return found


def _is_a_providers(name: ast.expr) -> bool:
    """`called.name`, `call.name`, or a name that was handed in; not a constant, a join or an expression."""
    return isinstance(name, ast.Attribute | ast.Name)


def _is_speech(part: ast.expr) -> bool:
    if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in ("lower", "casefold"):
        part = part.func.value
    name = part.attr if isinstance(part, ast.Attribute) else part.id if isinstance(part, ast.Name) else ""
    return SPEECH_NAMES.search(name) is not None


@pytest.mark.parametrize(("path", "source"), list(sources()), ids=[path for path, _ in sources()])
def test_no_adapter_holds_a_word_of_a_pack(path: str, source: str) -> None:
    assert not words_of_packs(source, pack_words())


@pytest.mark.parametrize(("path", "source"), list(sources()), ids=[path for path, _ in sources()])
def test_no_adapter_infers_a_tool_call_from_speech(path: str, source: str) -> None:
    assert not inferred_calls(source)


PLANTED = """
async def turn(self, words):
    if "plan" in words.text.lower():
        await self._desk.call("check_plan_accepted", {})
    if re.search("bye", words.text):
        await self._desk.call("end_" + "call", {})
"""


def test_a_planted_adapter_is_found() -> None:
    assert words_of_packs(PLANTED, pack_words()) == {"check_plan_accepted"}
    assert sorted(inferred_calls(PLANTED)) == [3, 4, 5, 6]
