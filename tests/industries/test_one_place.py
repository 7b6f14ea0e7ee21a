"""What packs have in common stands in one place: no function of some length is written out in two of them."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import mivas.industries

INDUSTRIES = Path(mivas.industries.__file__).parent
LONG = 6
"""Lines from which on a function's body has to be shared."""


def functions(source: str) -> Iterator[tuple[str, int, str]]:
    """Name, lines and meaning of every function's body, its docstring left out; spelling and comments don't count."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            body = node.body[ast.get_docstring(node) is not None :]
            if body:
                lines = (body[-1].end_lineno or 0) - body[0].lineno + 1
                yield node.name, lines, "\n".join(ast.dump(statement) for statement in body)


def test_a_copy_is_found_whatever_its_name_and_layout() -> None:
    (first,) = functions("def one(a):\n    '''Doc.'''\n    b = a\n    return b\n")
    (second,) = functions("def two(a):\n    # why\n    b = (\n        a\n    )\n    return b\n")
    assert (first[1], second[1]) == (2, 4)
    assert first[2] == second[2]


def test_no_long_function_stands_in_two_packs() -> None:
    places: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for path in sorted(INDUSTRIES.rglob("*.py")):
        pack = path.relative_to(INDUSTRIES).parts[0]
        for name, lines, body in functions(path.read_text(encoding="utf-8")):
            if lines >= LONG:
                places[body].add((pack, name))
    assert len(places) > 50
    copies = [sorted(found) for found in places.values() if len({pack for pack, _ in found}) > 1]
    assert copies == []
