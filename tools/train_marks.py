"""Learn where sentences end and which of them ask, for words without marks. Writes src/mivas/caller/data/marks.json.

    .venv/bin/python tools/train_marks.py

Takes the marks from the sentences in data/wordings/ and from the development half of the corpus; the test half is
never read. Logistic regression, half a minute.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import scipy.sparse as sparse
from scipy.optimize import minimize
from train_hearing import DATA, SEED, corpus_rows, wording_rows

from mivas.caller._hearing_marks import ask_features, end_features
from mivas.caller._hearing_words import sentences

TURNS, LONGEST_TURN = 6000, 4
"""How many turns are put together from sentences that have nothing to do with each other, and of how many each."""
L2, AT_LEAST, SMALLEST = 1.0, 3, 20
"""SMALLEST in hundredths: smaller weights are dropped."""


def turns() -> Iterable[list[str]]:
    """Turns as sentences with their marks."""
    chance = random.Random(SEED)
    written = [row.text for row in wording_rows()] + [row["text"] for row in corpus_rows()]
    marked = [sentences(text) for text in written if re.search(r"[.?!]\"?$", text.strip())]
    yield from marked
    pool = [part for turn in marked for part in turn]
    for _ in range(TURNS):
        yield chance.sample(pool, chance.randint(2, LONGEST_TURN))


def plain(sentence: str) -> list[str]:
    return [word for word in ("".join(re.findall(r"[a-z0-9']+", one)) for one in sentence.lower().split()) if word]


def fit(rows: Sequence[list[str]], truth: Sequence[bool]) -> dict[str, int]:
    """Weights in hundredths, the smallest dropped."""
    counts = Counter(feature for row in rows for feature in row)
    names = sorted(feature for feature, count in counts.items() if count >= AT_LEAST)
    at = {name: index for index, name in enumerate(names)}
    columns = [[at[feature] for feature in row if feature in at] for row in rows]
    flat = np.array([column for row in columns for column in row])
    starts = np.cumsum([0, *map(len, columns)])
    matrix = sparse.csr_matrix((np.ones(len(flat)), flat, starts), (len(rows), len(names)))
    wanted = np.array(truth, float)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        sums = matrix @ weights
        slope = 1 / (1 + np.exp(-sums)) - wanted
        total = (np.logaddexp(0, sums) - wanted * sums).sum() + 0.5 * L2 * weights @ weights
        return float(total), matrix.T @ slope + L2 * weights

    best = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 80}).x
    found = {name: round(float(weight) * 100) for name, weight in zip(names, best, strict=True)}
    return {name: weight for name, weight in found.items() if abs(weight) >= SMALLEST}


def main() -> None:
    gaps: list[list[str]] = []
    ends: list[bool] = []
    spoken: list[list[str]] = []
    asks: list[bool] = []
    for turn in turns():
        parts = [(plain(part), "?" in part) for part in turn]
        words = [word for part, _ in parts for word in part]
        stops = set(np.cumsum([len(part) for part, _ in parts]).tolist())
        for at in range(1, len(words)):
            gaps.append(list(end_features(words, at)))
            ends.append(at in stops)
    for text in [row.text for row in wording_rows()] + [row["text"] for row in corpus_rows()]:
        for part in sentences(text):
            if part[-1] in ".?" and plain(part):
                spoken.append(list(ask_features(plain(part))))
                asks.append(part[-1] == "?")
    found = {"version": 1, "ends": fit(gaps, ends), "asks": fit(spoken, asks)}
    (DATA / "marks.json").write_text(json.dumps(found, ensure_ascii=False, indent=0) + "\n", "utf-8")


if __name__ == "__main__":
    main()
