"""Error codes that a pack's handlers can answer, read off their source.

A refusal is `Refusal("CODE", ...)`, or a function with a parameter `error_code` that makes one (formats.md 1).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

REFUSAL, PARAMETER = "Refusal", "error_code"


def error_codes(folder: Path) -> frozenset[str]:
    """Codes in the Python files of a pack's folder and in what they import from beside it. Nothing is run."""
    modules = [ast.parse(path.read_text(encoding="utf-8")) for path in _sources(folder)]
    constants = {name: text for module in modules for name, text in _constants(module)}
    makers = {REFUSAL: 0} | {name: place for module in modules for name, place in _makers(module)}
    return frozenset(code for module in modules for code in _codes(module, makers, constants))


def _sources(folder: Path) -> Iterator[Path]:
    yield from sorted(folder.rglob("*.py"))
    shared = folder.parent / "_shared"
    if (folder / "__init__.py").is_file() and shared.is_dir():
        yield from sorted(shared.rglob("*.py"))


def _constants(module: ast.Module) -> Iterator[tuple[str, str]]:
    for node in module.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, node.value.value


def _makers(module: ast.Module) -> Iterator[tuple[str, int]]:
    """Functions that are handed a code, with the place of that parameter."""
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef):
            names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
            if PARAMETER in names:
                yield node.name, names.index(PARAMETER)


def _codes(module: ast.Module, makers: Mapping[str, int], constants: Mapping[str, str]) -> Iterator[str]:
    for node in ast.walk(module):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else str(getattr(node.func, "attr", ""))
        if name in makers:
            given: Iterable[ast.expr] = node.args[makers[name] : makers[name] + 1]
            given = [*given, *(keyword.value for keyword in node.keywords if keyword.arg == PARAMETER)]
            yield from (code for value in given if (code := _text(value, constants)) is not None)


def _text(value: ast.expr, constants: Mapping[str, str]) -> str | None:
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value.value
    if isinstance(value, ast.Name):
        return constants.get(value.id)
    return None
