"""Learn what a sentence asks, offers and states. Writes src/mivas/caller/data/hearing.json; takes some minutes.

    .venv/bin/python tools/train_hearing.py

Learns from sentences written by hand (data/wordings/), from phrases put into frames (data/phrases.json) and from the
development half of the corpus. The `test` half is never read. Logistic regression on the features of
`_hearing_words.py`, one label beside the other, labels that two careful people would differ on left out of the sum.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sparse
from scipy.optimize import minimize

from mivas.caller import OFFERS, QUESTIONS, STATEMENTS
from mivas.caller._hearing_model import ASKS, DENIES, OFFERS_SOMETHING, HearingModel
from mivas.caller._hearing_words import features, sentences, tokens

ROOT = Path(__file__).parent.parent
DATA = ROOT / "src/mivas/caller/data"
CORPUS = ROOT / "tests/caller/corpus"
LABELS = (
    ASKS, OFFERS_SOMETHING, DENIES,
    *(f"q:{name}" for name in QUESTIONS), *(f"o:{name}" for name in OFFERS), *(f"v:{name}" for name in STATEMENTS),
)  # fmt: skip
ALSO_ALLOWED = {
    "q:callback": ("q:phone", "o:callback"),
    "q:channel": ("o:text", "o:email"),
    "q:which_time": ("q:date", "o:booking", "o:reschedule"),
    "q:email": ("o:email",),
    "o:financing": ("o:text",),
    "o:payment": ("o:text",),
    "o:repair": ("o:booking",),
    "o:booking": ("o:reschedule",),
    "o:reschedule": ("o:booking", "q:date", "q:which_time"),
}
"""What the corpus allows beside a label in every sentence of it."""
L2, AT_LEAST, STEPS, SEED = 0.1, 3, 45, 11
SMALLEST = 8
"""Hundredths; smaller weights are dropped."""
HAND, COMPOSED, JOINED, CORPUS_WEIGHT = 1.0, 0.3, 0.5, 1.5
UNMARKED = 0.4
"""Share of the sentences with a question mark that are learned without it as well, with half their weight."""
_ASKED_IN_FORM = re.compile(
    r"(?:and |so |okay |well |then |but )?(?:what|which|who|whom|whose|when|where|how|why|is|are|am|was|were|do|does|"
    r"did|can|could|may|would|will|shall|should|have|has)\b",
    re.IGNORECASE,
)
"""Questions that are some by their words alone; the rest can't be told from statements without the mark."""
POSITIVE_WEIGHT = 2.0
LISTS, PAIRS = 1200, 5000
"""How many sentences are made that ask for several things in a row, and of two sentences each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A sentence to learn from; labels neither in `holds` nor in `open` don't hold."""

    text: str
    holds: frozenset[str]
    open: frozenset[str] = frozenset()
    weight: float = HAND


def training_hash() -> str:
    """Of all the sentences the weights follow from, so that a test sees when they have drifted from their data."""
    digest = hashlib.sha256()
    for path in [*sorted((DATA / "wordings").glob("*.jsonl")), DATA / "phrases.json"]:
        digest.update(path.read_bytes())
    for row in corpus_rows():
        digest.update(json.dumps(row, sort_keys=True).encode())
    return digest.hexdigest()


def corpus_rows() -> list[dict[str, Any]]:
    """The development half."""
    return [
        row
        for name in ("questions", "offers", "negatives", "turns", "turns_development")
        for row in map(json.loads, (CORPUS / f"{name}.jsonl").read_text("utf-8").splitlines())
        if row["half"] == "development"
    ]


def wording_rows() -> Iterable[Row]:
    for path in sorted((DATA / "wordings").glob("*.jsonl")):
        for row in map(json.loads, path.read_text("utf-8").splitlines()):
            yield _row(row["text"], row["heard"]["questions"], row["heard"]["offers"], row["heard"]["values"])


def corpus_row(row: dict[str, Any]) -> Row:
    """A row of the corpus. Only turns are labelled with statements."""
    heard, allowed = row["heard"], row.get("allowed", {})
    values = {one["id"]: one["polarity"] for one in heard.get("values", [])}
    made = _row(row["text"], heard["questions"], heard["offers"], values)
    extra = {f"q:{name}" for name in allowed.get("questions", [])} | {f"o:{name}" for name in allowed.get("offers", [])}
    extra |= {f"v:{name}" for name in allowed.get("values", []) if name in STATEMENTS}
    if "values" not in heard:
        extra |= {f"v:{name}" for name in STATEMENTS}
    return replace(made, open=(made.open | extra) - made.holds, weight=CORPUS_WEIGHT)


def _row(text: str, questions: Iterable[str], offers: Iterable[str], values: dict[str, str]) -> Row:
    holds = {f"q:{name}" for name in questions} | {f"o:{name}" for name in offers}
    holds |= {f"v:{name}" for name in values if name in STATEMENTS}
    open_ = {also for label in holds for also in ALSO_ALLOWED.get(label, ())}
    open_ |= {"q:consent"} if any(label.startswith("o:") for label in holds) else set()
    polarities = {values[name] for name in values if name in STATEMENTS}
    if polarities == {"no"}:
        holds.add(DENIES)
    elif polarities != {"yes"}:
        open_.add(DENIES)
    return Row(text=text, **_whole(holds, open_ - holds))


def _whole(holds: set[str], open_: set[str]) -> dict[str, frozenset[str]]:
    """Add the labels about the whole sentence."""
    for label, start in ((ASKS, "q:"), (OFFERS_SOMETHING, "o:")):
        if any(one.startswith(start) for one in holds):
            holds.add(label)
        elif any(one.startswith(start) for one in open_):
            open_.add(label)
    return {"holds": frozenset(holds), "open": frozenset(open_)}


def composed_rows(chance: random.Random) -> Iterable[Row]:
    """Phrases in frames: asked for, offered, and merely spoken of."""
    phrases = json.loads((DATA / "phrases.json").read_text("utf-8"))
    frames = phrases["frames"]
    unsure = frozenset(f"v:{name}" for name in STATEMENTS) | {DENIES}

    def row(frame: str, phrase: str, end: str, labels: Iterable[str]) -> Row:
        made = _row(frame.format(phrase) + end, [], [], {})
        holds = set(labels)
        open_ = {also for label in holds for also in ALSO_ALLOWED.get(label, ())}
        open_ |= {"q:consent"} if any(label.startswith("o:") for label in holds) else set()
        whole = _whole(holds, open_ - holds)
        return replace(made, holds=whole["holds"], open=whole["open"] | unsure, weight=COMPOSED)

    ends = ("?", "?", ".", "")
    for name, entry in phrases["questions"].items():
        for noun in entry["noun"]:
            for frame in chance.sample(frames["ask_noun"], 3):
                yield row(frame, noun, chance.choice(ends), [f"q:{name}"])
            for frame in chance.sample(frames["not_ask_noun"], 2):
                yield row(frame, noun, ".", [])
        for asked in entry["asked"]:
            yield row("{}", asked, "?", [f"q:{name}"])
            for frame in chance.sample(frames["ask"], 2):
                yield row(frame, asked, chance.choice(ends), [f"q:{name}"])
    for name, entry in phrases["offers"].items():
        for key, part in (("do", "offer_do"), ("have", "offer_have")):
            for phrase in entry[key]:
                for frame in chance.sample(frames[part], 4):
                    yield row(frame, phrase, chance.choice(ends), [f"o:{name}"])
                for frame in chance.sample(frames[f"not_{part}"], 2):
                    yield row(frame, phrase, ".", [])
    nouns = [(name, noun) for name, entry in phrases["questions"].items() for noun in entry["noun"]]
    for _ in range(LISTS):
        chosen = chance.sample(nouns, chance.choice((2, 2, 3)))
        listed = ", ".join(noun for _, noun in chosen[:-1]) + chance.choice((" and ", ", and ")) + chosen[-1][1]
        yield row(chance.choice(frames["ask_noun"]), listed, "?", [f"q:{name}" for name, _ in chosen])


def joined_rows(rows: Sequence[Row], count: int, chance: random.Random) -> Iterable[Row]:
    """Two single sentences as one, since agents ask two things in a breath."""
    single = [row for row in rows if row.holds - {DENIES} and len(sentences(row.text)) == 1]
    for _ in range(count):
        first, second = chance.sample(single, 2)
        text = first.text.rstrip("?.! ") + chance.choice((", and ", " and ", ", or ", ", ")) + second.text
        holds = first.holds | second.holds
        denial = {DENIES} if (DENIES in first.holds) != (DENIES in second.holds) else set()
        yield Row(text=text, holds=holds - denial, open=((first.open | second.open) - holds) | denial, weight=JOINED)


def unmarked_rows(rows: Iterable[Row], chance: random.Random) -> Iterable[Row]:
    """Questions without their mark, as speech recognition may leave them."""
    for row in rows:
        if "?" in row.text and _ASKED_IN_FORM.match(row.text) and chance.random() < UNMARKED:
            yield replace(row, text=row.text.replace("?", ""), weight=row.weight / 2)


def split_rows(rows: Iterable[Row], model: HearingModel | None) -> list[Row]:
    """Rows of one sentence each: in a longer turn a label belongs to the sentence that the model finds likeliest.

    A sentence with a question mark is three times as likely to ask. Where a label may belong to a sentence as well,
    it stays open there, and so does whether that sentence asks or offers.
    """
    split: list[Row] = []
    for row in rows:
        parts = sentences(row.text)
        if len(parts) < 2:
            split.append(row)
        elif model is not None:
            split.extend(_split(row, parts, model))
    return split


def _split(row: Row, parts: Sequence[str], model: HearingModel) -> Iterable[Row]:
    chances = [model.chances(tokens(part)) for part in parts]
    topics = {label for label in row.holds if ":" in label}

    def likeliness(at: int, label: str) -> float:
        return chances[at][label] * (3 if label.startswith("q:") and "?" in parts[at] else 1)

    owner = {label: max(range(len(parts)), key=lambda at: likeliness(at, label)) for label in topics}
    for at, part in enumerate(parts):
        holds = {label for label in topics if owner[label] == at}
        doubtful = {label for label in topics - holds if likeliness(at, label) > 0.1}
        open_ = (row.open - {ASKS, OFFERS_SOMETHING}) | doubtful
        if "?" in part and not holds:
            open_ |= {ASKS, OFFERS_SOMETHING} & row.holds
        stated = {DENIES} & row.holds if any(label.startswith("v:") for label in holds) else set()
        open_ |= set() if any(label.startswith("v:") for label in holds) else {DENIES}
        yield replace(row, text=part, **_whole(holds | stated, set(open_) - holds - stated))


def fit(rows: Sequence[Row], steps: int = STEPS) -> HearingModel:
    """Weights that minimise the weighted log loss plus L2, by L-BFGS."""
    spoken = [features(tokens(row.text)) for row in rows]
    counts = Counter(feature for one in spoken for feature in one)
    known = {feature: at for at, feature in enumerate(sorted(f for f, n in counts.items() if n >= AT_LEAST))}
    columns = [[known[feature] for feature in one if feature in known] for one in spoken]
    starts = np.cumsum([0, *map(len, columns)])
    flat = np.array([column for one in columns for column in one])
    matrix = sparse.csr_matrix((np.ones(len(flat), np.float32), flat, starts), (len(rows), len(known)))
    truth, weight = _targets(rows)
    size, count = len(known), len(LABELS)
    transposed = matrix.T.tocsr()

    def loss(flat_weights: np.ndarray) -> tuple[float, np.ndarray]:
        weights = flat_weights[: size * count].reshape(size, count).astype(np.float32)
        sums = matrix @ weights + flat_weights[size * count :].astype(np.float32)
        total = (weight * (np.logaddexp(0, sums) - truth * sums)).sum(dtype=np.float64)
        slope = weight * (1 / (1 + np.exp(-sums)) - truth)
        down = transposed @ slope + L2 * weights
        return float(total + 0.5 * L2 * (weights * weights).sum(dtype=np.float64)), np.concatenate(
            [down.ravel(), slope.sum(0)]
        ).astype(np.float64)

    start = np.concatenate([np.zeros(size * count), np.full(count, -3.0)])
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": steps, "maxcor": 6}).x
    return _model(sorted(known), best[: size * count].reshape(size, count), best[size * count :])


def _targets(rows: Sequence[Row]) -> tuple[np.ndarray, np.ndarray]:
    at = {label: index for index, label in enumerate(LABELS)}
    truth = np.zeros((len(rows), len(LABELS)), np.float32)
    weight = np.ones_like(truth)
    for index, row in enumerate(rows):
        truth[index, [at[label] for label in row.holds]] = 1
        weight[index] *= row.weight
        weight[index, [at[label] for label in row.open]] = 0
    topics = np.array([":" in label for label in LABELS])
    return truth, weight * np.where((truth > 0) & topics, POSITIVE_WEIGHT, 1).astype(np.float32)


def _model(names: Sequence[str], weights: np.ndarray, bias: np.ndarray) -> HearingModel:
    """Weights in hundredths, the smallest dropped."""
    rounded = np.rint(weights * 100).astype(int)
    rounded[abs(rounded) < SMALLEST] = 0
    table = {
        name: tuple(int(one) for label in np.flatnonzero(row) for one in (label, row[label]))
        for name, row in zip(names, rounded, strict=True)
        if row.any()
    }
    return HearingModel(labels=LABELS, bias=tuple(round(float(one) * 100) for one in bias), weights=table)


def train(corpus: Sequence[dict[str, Any]], steps: int = STEPS) -> HearingModel:
    """The model that follows from the wordings, the phrases and these rows of the corpus."""
    chance = random.Random(SEED)
    written = [*wording_rows(), *map(corpus_row, corpus)]
    composed = list(composed_rows(chance))
    joined = list(joined_rows(written, PAIRS, chance))
    first = fit([*split_rows(written, None), *composed], steps // 3)
    spoken = [*split_rows(written, first), *split_rows(joined, first)]
    return fit([*spoken, *unmarked_rows(spoken, chance), *composed], steps)


def write(model: HearingModel, path: Path) -> None:
    """One feature a line, so that a change can be read."""
    lines = [
        f"{json.dumps(feature, ensure_ascii=False)}:{json.dumps(list(pairs), separators=(',', ':'))}"
        for feature, pairs in sorted(model.weights.items())
    ]
    head = {
        "version": 1,
        "training_sha256": training_hash(),
        "labels": list(model.labels),
        "bias": list(model.bias),
    }
    opening = json.dumps(head, indent=0)[:-2]
    path.write_text(f'{opening},\n"weights":{{\n' + ",\n".join(lines) + "\n}}\n", "utf-8")


if __name__ == "__main__":
    write(train(corpus_rows()), DATA / "hearing.json")
