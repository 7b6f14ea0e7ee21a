"""Does the simulated caller understand agents it has never heard? Prints tables, writes benchmarks/results/caller.json.

    .venv/bin/python benchmarks/caller.py [--second-opinion] [--half test|development|validation] [--folds 4]
        [--failures]

With --second-opinion the sentence encoder hears beside the linear model (caller `second-opinion`); its figures go to
benchmarks/results/caller_second_opinion.json.

Plays each row of tests/caller/corpus (its README says what a right reply is) to `understand` and `reply_to`. Rows of
turns.jsonl have a caller of their own; the others get one that knows a fact for each question id and declines the
offer that is made, or every offer where none is made. A row is

    right          every fact that is due, no other; every refusal, confirmation and correction that is due, no other
    wrong_fact     states or corrects a fact that was neither asked for nor allowed
    wrong_consent  confirms what was read back wrong, or agrees instead of declining
    missed         anything else: not heard, or heard in part

The test half is for measuring only. While tuning: `--half development --folds 4`, which learns without the rows that
it measures. A result is written for the test half alone.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mivas.caller import OFFERS, QUESTIONS, Answer, Heard, KnownFact, reply_to, understand
from mivas.caller._hearing_model import Hearing, default_model

ROOT = Path(__file__).parent.parent
CORPUS = ROOT / "tests/caller/corpus"
RESULTS = ROOT / "benchmarks/results"
OUTCOMES = ("right", "wrong_fact", "wrong_consent", "missed")
STANDARD = tuple(
    KnownFact(id=name, value=f"zx{name.replace('_', '')}", say=f"zx{name.replace('_', '')}", answers=(name,))
    for name in QUESTIONS
)
"""A fact for each question, with values that no sentence names by chance."""

Row = Mapping[str, Any]


def rows_of(half: str) -> dict[str, list[Row]]:
    """File -> its rows of that half."""
    found = {
        name: [row for row in map(json.loads, _lines(CORPUS / f"{name}.jsonl")) if row["half"] == half]
        for name in ("questions", "offers", "negatives", "turns", "turns_development", "turns_validation")
    }
    return {name: rows for name, rows in found.items() if rows}


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


def caller_of(row: Row) -> tuple[tuple[KnownFact, ...], frozenset[str]]:
    """The facts and refusals of the row's caller."""
    if "caller" not in row:
        return STANDARD, frozenset(row["heard"]["offers"] or OFFERS)
    facts = tuple(
        KnownFact(
            id=fact["id"], value=fact["value"], say=fact["say"], spell=fact.get("spell"), answers=tuple(fact["answers"])
        )
        for fact in row["caller"]["facts"]
    )
    return facts, frozenset(row["caller"]["refuses"])


def due_of(row: Row) -> Answer:
    """The right reply."""
    if "reply" in row:
        reply = row["reply"]
        return Answer(
            facts=tuple(reply["facts"]),
            refuses=tuple(sorted(reply["refuses"])),
            confirms=reply["confirms"],
            corrects=tuple(reply["corrects"]),
        )
    return Answer(facts=tuple(row["heard"]["questions"]), refuses=tuple(sorted(row["heard"]["offers"])))


def outcome(row: Row, given: Answer, facts: Sequence[KnownFact]) -> str:
    """How the reply given compares with the one that is due."""
    due, allowed = due_of(row), row.get("allowed", {})
    free = {fact.id for fact in facts if set(fact.answers) & set(allowed.get("questions", []))}
    free |= set(allowed.get("read_backs", []))
    stated, due_facts = set(given.facts), set(due.facts)
    if "reply" not in row and given.confirms is not None:  # the standard caller's yes or no to a read-back is a fact
        stated |= {"read_back", *given.corrects}
        given = Answer(facts=given.facts, refuses=given.refuses)
    if given.confirms and due.confirms is False:
        return "wrong_consent"
    missed_refusals = set(due.refuses) - set(given.refuses)
    agrees = any("consent" in fact.answers and fact.value != "no" for fact in facts if fact.id in stated)
    if agrees and (missed_refusals or (due.confirms is False)):
        return "wrong_consent"
    if (stated - due_facts - free) or (set(given.corrects) - set(due.corrects) - free):
        return "wrong_fact"
    spare = set(given.refuses) - set(due.refuses) - set(allowed.get("offers", []))
    confirms = given.confirms == due.confirms or (due.confirms is None and bool(allowed.get("read_backs")))
    whole = due_facts <= stated and not missed_refusals and not spare
    return "right" if whole and confirms and set(due.corrects) <= set(given.corrects) else "missed"


def trouble(row: Row, heard: Heard) -> dict[str, Counter[str]]:
    """Hits, spurious and missed ones of questions, offers and statements."""
    allowed = row.get("allowed", {})
    found = {"questions": set(heard.questions), "offers": set(heard.offers)}
    due = {"questions": set(row["heard"]["questions"]), "offers": set(row["heard"]["offers"])}
    if "values" in row["heard"]:
        found["values"] = {f"{name}:{polarity}" for name, polarity in heard.values.items()}
        due["values"] = {f"{one['id']}:{one['polarity']}" for one in row["heard"]["values"]}
        due["read_backs"] = {f"{one['fact']}:{one['right']}" for one in row["heard"]["read_backs"]}
        found["read_backs"] = {f"{one.fact}:{one.right}" for one in heard.read_backs}
    counts = {}
    for part, names in due.items():
        free = {name for name in found[part] if name.split(":")[0] in allowed.get(part, [])}
        counts[part] = Counter(
            hit=len(names & found[part]), spurious=len(found[part] - names - free), missed=len(names - found[part])
        )
    return counts


def models(folds: int, second_opinion: bool) -> Sequence[Hearing]:
    """One model for all rows, or one for each fold, learned without it."""
    if second_opinion:
        from mivas.caller._hearing_encoder import second_opinion as both

        return [both()]
    if not folds:
        return [default_model()]
    import sys

    sys.path.insert(0, str(ROOT / "tools"))
    import train_hearing

    rows = train_hearing.corpus_rows()
    return [train_hearing.train([row for row in rows if fold_of(row, folds) != fold]) for fold in range(folds)]


def fold_of(row: Row, folds: int) -> int:
    return int(row["id"].rsplit("-", 1)[1]) // 2 % folds


def measure(half: str, weights: Sequence[Hearing], rounds: int, show: bool) -> dict[str, Any]:
    """Play every row; returns what the result file holds."""
    by_file: dict[str, Counter[str]] = {}
    by_id: dict[str, Counter[str]] = defaultdict(Counter)
    parts: dict[str, Counter[str]] = defaultdict(Counter)
    micros: list[float] = []
    for name, rows in rows_of(half).items():
        by_file[name] = Counter()
        for row in rows:
            facts, refuses = caller_of(row)
            model = weights[fold_of(row, len(weights))] if len(weights) > 1 else weights[0]
            heard, spent_us = _timed(row["text"], facts, model, rounds)
            micros.append(spent_us)
            given = reply_to(heard, facts, refuses)
            result = outcome(row, given, facts)
            by_file[name][result] += 1
            for label in [*row["heard"]["questions"], *row["heard"]["offers"]] if not name.startswith("turns") else ():
                by_id[label][result] += 1
            for part, counts in trouble(row, heard).items():
                parts[part] += counts
            if show and result != "right":
                print(f"{result:13} {row['id']} {row['text']}\n{'':14}due {due_of(row)}\n{'':14}got {given}")
    return {
        "files": {name: dict(counts) for name, counts in by_file.items()},
        "ids": {name: dict(counts) for name, counts in sorted(by_id.items())},
        "heard": {name: dict(counts) for name, counts in parts.items()},
        "microseconds": {"mean": statistics.mean(micros), "p95": statistics.quantiles(micros, n=20)[-1]},
    }


def _timed(text: str, facts: Sequence[KnownFact], model: Hearing, rounds: int) -> tuple[Heard, float]:
    spent = []
    for _ in range(max(rounds, 1)):
        begun = time.perf_counter()
        heard = understand(text, facts, model)
        spent.append((time.perf_counter() - begun) * 1e6)
    return heard, min(spent)


def table(title: str, counts: Mapping[str, Mapping[str, int]]) -> None:
    print(f"\n{title:22}{'rows':>6}" + "".join(f"{name:>15}" for name in OUTCOMES))
    total: Counter[str] = Counter()
    for name, row in counts.items():
        total.update(row)
        _line(name, row)
    _line("all", total)


def _line(name: str, row: Mapping[str, int]) -> None:
    size = sum(row.values())
    print(f"{name:22}{size:>6}" + "".join(f"{row.get(one, 0):>6}{row.get(one, 0) / size:>8.1%} " for one in OUTCOMES))


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--half", choices=("test", "development", "validation"), default="test")
    parser.add_argument("--folds", type=int, default=0, help="learn without the rows measured (development only)")
    parser.add_argument("--failures", action="store_true", help="print what went wrong (development only)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--second-opinion", action="store_true", help="with the sentence encoder")
    given = parser.parse_args(list(arguments) if arguments is not None else None)
    if given.half == "test" and (given.folds or given.failures):
        parser.error("the test half is for measuring only: no --folds, no --failures")
    if given.second_opinion and given.folds:
        parser.error("the encoder learned from no row of the corpus: no --folds")
    found = measure(given.half, models(given.folds, given.second_opinion), given.rounds, given.failures)
    table("file", found["files"])
    table("id", found["ids"])
    print(f"\n{'heard':22}{'precision':>12}{'recall':>12}")
    for name, row in found["heard"].items():
        hit, spurious, missed = (row.get(one, 0) for one in ("hit", "spurious", "missed"))
        print(f"{name:22}{hit / max(hit + spurious, 1):>12.1%}{hit / max(hit + missed, 1):>12.1%}")
    spent = found["microseconds"]
    print(f"\na turn: mean {spent['mean']:.0f} us, 95th percentile {spent['p95']:.0f} us (fastest of {given.rounds})")
    if given.half == "test":
        name = "caller_second_opinion" if given.second_opinion else "caller"
        about = {
            "command": ".venv/bin/python benchmarks/caller.py" + (" --second-opinion" if given.second_opinion else ""),
            "machine": f"{platform.machine()}, {platform.system()}",
            "python": platform.python_version(),
            "versions": {package: version(package) for package in ("text2num", "rapidfuzz", "numpy")},
        }
        (RESULTS / f"{name}.json").write_text(json.dumps(about | found, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
