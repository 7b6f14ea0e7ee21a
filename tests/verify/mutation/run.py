"""Switches each rule of the verifier off in turn and asks whether some test notices.

    .venv/bin/python tests/verify/mutation/run.py [--only TEXT]... [--check] [--page docs/verifier-mutations.md]

Sources and tests are copied to a temporary folder and changed there; the checkout stays as it is. The public samples
are left out, so what is caught is caught by our own tests. Exit 0 when every mutation is caught, 1 when one survives, 2
when a mutation's text no longer stands in its file exactly once.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

from mutations import MUTATIONS, Mutation

ROOT = Path(__file__).resolve().parents[3]
VERIFY = "tests/verify/test_{}.py"
NEAREST = {
    "verify/_flatten.py": ("flatten", "tool_gate"),
    "verify/_tool_gate.py": ("tool_gate",),
    "verify/_argument_class.py": ("tool_gate",),
    "verify/_equal.py": ("tool_gate",),
    "verify/_handoff_gate.py": ("handoff_gate",),
    "verify/_rows.py": ("database_gate",),
    "verify/_database_gate.py": ("database_gate", "verdict"),
    "verify/_mark.py": ("verdict",),
    "verify/_verdict.py": ("verdict", "handoff_gate"),
}
"""The tests that stand nearest to a file are asked first; all others only when those notice nothing."""
OTHERS = (
    "tests/pack/test_equality.py", "tests/pack/test_scoring_file.py", "tests/score/test_pass_rate.py",
    "tests/score/test_summary.py",
)  # fmt: skip
TESTS = (
    *map(VERIFY.format, ("tool_gate", "flatten", "handoff_gate", "database_gate", "verdict", "reasons", "differences",
                         "fuzzy_rows", "alias_parity", "conformance")),
    *OTHERS,
)  # fmt: skip


def nearest(file: str) -> tuple[str, ...]:
    """Test files to ask first about a mutated source file."""
    if file.startswith("score/"):
        return OTHERS[2:]
    if file.startswith("pack/"):
        return OTHERS[:2]
    return tuple(map(VERIFY.format, NEAREST.get(file, ("differences", "fuzzy_rows"))))


QUICK = "not crash and not junk and not never_matters and not doesnt_matter and not goes_to_both"
NO_TEST_RAN = 5

# One process a mutation, forked from a server that has imported everything but the sources under test.
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["pytest", "hypothesis", "hypothesis.strategies", "pydantic", "click", "rich.table",
                                  "fastapi", "uvicorn", "httpx", "jsonschema", "orjson", "numpy"])  # fmt: skip


class Outcome(NamedTuple):
    """What became of one mutation."""

    mutation: Mutation
    test: str | None
    """The first test that noticed; None: it survived."""


class Lost(Exception):
    """A mutation's text doesn't stand in its file exactly once."""


def copied(folder: Path) -> Path:
    """A tree to mutate: sources, tests and configuration."""
    skip = shutil.ignore_patterns("__pycache__", ".hypothesis", "mutation", "*.png")
    for name in ("src", "tests/verify", "tests/score", "tests/pack", "tests/suites"):
        shutil.copytree(ROOT / name, folder / name, ignore=skip)
    for path in (ROOT / "pyproject.toml", *(ROOT / "tests").glob("conftest.py")):
        shutil.copy(path, folder / path.relative_to(ROOT))
    return folder


def changed_text(original: str, mutation: Mutation) -> str:
    """The file with its rule switched off. Raises Lost."""
    if original.count(mutation.old) != 1:
        raise Lost(f"{mutation.rule}: text stands {original.count(mutation.old)} times in {mutation.file}")
    return original.replace(mutation.old, mutation.new)


def mutated(tree: Path, mutation: Mutation) -> Outcome:
    """Apply one mutation to the tree, run the tests, and take it back."""
    path = tree / "src" / "mivas" / mutation.file
    original = path.read_text(encoding="utf-8")
    path.write_text(changed_text(original, mutation), encoding="utf-8")
    try:
        stages: tuple[Sequence[str], ...] = (nearest(mutation.file), TESTS, TESTS)
        quick = (QUICK, QUICK, "")
        found = (first_failure(tree, "-k", only, *tests) for tests, only in zip(stages, quick, strict=True))
        return Outcome(mutation, next(filter(None, found), None))
    finally:
        path.write_text(original, encoding="utf-8")


def first_failure(tree: Path, *options: str) -> str | None:
    """Name of the first test that fails, or None."""
    report = tree / "report.txt"
    process = PROCESSES.Process(target=run_tests, args=(tree, report, options))
    process.start()
    process.join()
    if process.exitcode in (0, NO_TEST_RAN):
        return None
    lines = [line for line in report.read_text().splitlines() if line.startswith(("FAILED", "ERROR"))]
    return lines[0].split(" - ")[0].split("::", 1)[-1] if lines else f"pytest ended with {process.exitcode}"


def run_tests(tree: Path, report: Path, options: Sequence[str]) -> None:
    """In a process of its own: the mutated sources come before the installed ones, no sample, no bytecode."""
    import pytest

    sys.dont_write_bytecode = True
    sys.path.insert(0, str(tree / "src"))
    os.environ.update(
        PYTHONPATH=str(tree / "src"),
        MIVAS_REFERENCE=str(tree / "no-samples"),
        HYPOTHESIS_STORAGE_DIRECTORY=str(tree / ".hypothesis"),
    )
    os.chdir(tree)
    with report.open("w", encoding="utf-8") as out, redirect_stdout(out), redirect_stderr(out):
        code = pytest.main(["-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", *options])
    sys.exit(int(code))


def outcomes(mutations: Sequence[Mutation]) -> Iterator[Outcome]:
    """Judge each mutation in one copied tree. Raises Lost."""
    with tempfile.TemporaryDirectory() as folder:
        tree = copied(Path(folder))
        failure = first_failure(tree, "-k", QUICK, *TESTS)
        if failure is not None:
            raise Lost(f"the tests fail without any mutation: {failure}")
        for mutation in mutations:
            yield mutated(tree, mutation)


def page(done: Sequence[Outcome]) -> str:
    """The list as Markdown."""
    caught = sum(one.test is not None for one in done)
    rows = "\n".join(
        f"| {one.mutation.rule} | `{one.mutation.file}` | {f'`{one.test}`' if one.test else '**survived**'} |"
        for one in done
    )
    return f"""# What the verifier's tests would notice

Each rule of the verifier is switched off in turn, in a copy of the sources, and the tests of `verify`, `score` and the
equality kinds are run. A rule whose absence no test notices is a rule we only believe in.

**{len(done)} mutations, {caught} caught, {len(done) - caught} survived.** Measured by

```
.venv/bin/python tests/verify/mutation/run.py --page docs/verifier-mutations.md
```

The public sample tasks take no part. The list, with the exact text of each change, is
`tests/verify/mutation/mutations.py`; a change whose text no longer stands in its file is an error. Numbers are sections
of the scoring rules: 3.1 inputs, 3.2 order, 3.3 and 3.4 tool gate, 3.5 equality, 3.6 handoff gate, 3.7 database gate,
3.8 marks, 4 metrics, 9 rewards.

| rule switched off | file | first test that notices |
|---|---|---|
{rows}
"""


def main() -> int:
    parser = argparse.ArgumentParser(description="Which rules of the verifier would no test miss?")
    parser.add_argument("--only", action="append", help="only mutations whose rule contains this text; may stand often")
    parser.add_argument("--check", action="store_true", help="only see whether every text still stands in its file")
    parser.add_argument("--page", type=Path, help="write the list as Markdown")
    options = parser.parse_args()
    start_s, done = time.monotonic(), []
    chosen = [one for one in MUTATIONS if any(text in one.rule for text in options.only or [""])]
    try:
        for mutation in chosen:
            changed_text((ROOT / "src" / "mivas" / mutation.file).read_text(encoding="utf-8"), mutation)
        for outcome in () if options.check else outcomes(chosen):
            done.append(outcome)
            print(f"{'caught  ' if outcome.test else 'SURVIVED'} {outcome.mutation.rule}: {outcome.test}", flush=True)
    except Lost as error:
        print(error, file=sys.stderr)
        return 2
    if options.check:
        print(f"{len(chosen)} mutations find their text")
        return 0
    survived = [one for one in done if one.test is None]
    print(f"{len(done)} mutations, {len(done) - len(survived)} caught, {time.monotonic() - start_s:.0f} s")
    if options.page:
        options.page.write_text(page(done), encoding="utf-8")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
