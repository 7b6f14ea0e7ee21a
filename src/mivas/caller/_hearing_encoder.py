"""A small sentence encoder that hears what n-grams can't: other words for the same wish. Plain numpy, no runtime.

Four of the six layers of all-MiniLM-L6-v2 (Apache-2.0), tuned on the same sentences as the linear model by
`tools/train_encoder.py`; a byte a weight, its vocabulary cut to frequent pieces.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import exp, log, sqrt
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mivas.caller._hearing_model import HearingModel, Margins, default_model

Floats: TypeAlias = NDArray[np.floating[Any]]

HEADS = 12
MAX_PIECES = 40
"""Of a sentence, with the two marks at its ends."""
_STANDS_FOR = {"<number>": "7", "<ordinal>": "fifth", "<day>": "monday", "<month>": "june", "<letter>": "x"}
"""The words that classes of words are read as."""
_WORD = re.compile(r"\w+|[^\w\s]")
_START, _END, _UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
_LAYER_NORM_EPSILON = 1e-12
ENCODER_SHARE = 0.7
"""The encoder's part in the mean; the linear model has the rest."""
MARGINS = Margins(certain=0.55, faint=0.4, far=10, also=0.88, in_part=0.85)
"""Chosen on half of the development rows, with models that had learned without them."""
_NEVER = 1e-6
"""A chance no smaller than this is taken seriously."""
_HEAD_SCALE = 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoder:
    """A transformer's weights, and what its outputs mean."""

    labels: Sequence[str]
    pieces: Mapping[str, int]
    """Word piece -> row of `words`."""
    words: Floats
    """(pieces, width)."""
    rest: Mapping[str, Floats]
    """Every other weight by the trainer's name; `0.qw` is the query matrix of the first layer, (width, width)."""
    layers: int

    def logits(self, tokens: Sequence[str]) -> dict[str, float]:
        """Log odds of each label for a sentence's tokens."""
        rows = _piece_rows(tokens, self.pieces)
        found = _forward(self.words[rows], self.rest, self.layers)
        return dict(zip(self.labels, found.tolist(), strict=True))


def read_as(tokens: Sequence[str]) -> str:
    """The words that a sentence's tokens are read as: a class of words by one of them."""
    return " ".join(_STANDS_FOR.get(token, token) for token in tokens)


def _piece_rows(tokens: Sequence[str], pieces: Mapping[str, int]) -> list[int]:
    """Rows of the word pieces, greedily the longest first, as the encoder's own tokenizer cuts them."""
    rows = [pieces[_START]]
    for word in _WORD.findall(read_as(tokens)):
        rows += _cut(word, pieces)
    return [*rows[: MAX_PIECES - 1], pieces[_END]]


def _cut(word: str, pieces: Mapping[str, int]) -> list[int]:
    rows: list[int] = []
    start = 0
    while start < len(word):
        lead = "##" if start else ""
        end = next((at for at in range(len(word), start, -1) if lead + word[start:at] in pieces), None)
        if end is None:
            return [pieces[_UNKNOWN]]
        rows.append(pieces[lead + word[start:end]])
        start = end
    return rows


def _forward(x: Floats, w: Mapping[str, Floats], layers: int) -> Floats:
    count, width = x.shape
    x = _normed(x + w["pos"][:count] + w["type"], w["elw"], w["elb"])
    for layer in range(layers):

        def of(name: str, layer: int = layer) -> Floats:
            return w[f"{layer}.{name}"]

        def heads(x: Floats, name: str) -> Floats:
            return (x @ of(f"{name}w") + of(f"{name}b")).reshape(count, HEADS, width // HEADS).transpose(1, 0, 2)

        query, key, value = heads(x, "q"), heads(x, "k"), heads(x, "v")
        scores = query @ key.transpose(0, 2, 1) / np.float32(sqrt(width / HEADS))
        weights: Floats = np.exp(scores - scores.max(-1, keepdims=True))
        weights = weights / weights.sum(-1, keepdims=True)
        mixed = (weights @ value).transpose(1, 0, 2).reshape(count, width)
        x = _normed(x + mixed @ of("ow") + of("ob"), of("l1w"), of("l1b"))
        x = _normed(x + _gelu(x @ of("iw") + of("ib")) @ of("dw") + of("db"), of("l2w"), of("l2b"))
    found: Floats = x.mean(0) @ w["hw"] * np.float32(_HEAD_SCALE) + w["hb"]
    return found


def _normed(x: Floats, weight: Floats, bias: Floats) -> Floats:
    spread: Floats = x - x.mean(-1, keepdims=True)
    scaled: Floats = spread / np.sqrt((spread * spread).mean(-1, keepdims=True) + np.float32(_LAYER_NORM_EPSILON))
    return scaled * weight + bias


def _gelu(x: Floats) -> Floats:
    """The Gaussian error linear unit by the approximation of Hendrycks and Gimpel (2016), tanh form."""
    inner = np.float32(sqrt(2 / np.pi)) * (x + np.float32(0.044715) * x * x * x)
    found: Floats = np.float32(0.5) * x * (np.float32(1) + np.tanh(inner))
    return found


def read_encoder(file: Any) -> Encoder:
    """An encoder from the `.npz` that the trainer writes (path or open file)."""
    with np.load(file, allow_pickle=False) as content:
        weights = {
            name: content[name].astype(np.float32) * content[f"{name}:scale"]
            if f"{name}:scale" in content
            else content[name].astype(np.float32)
            for name in content.files
            if not name.endswith(":scale") and name not in ("labels", "pieces")
        }
        pieces = str(content["pieces"]).split("\n")
        labels = tuple(str(content["labels"]).split("\n"))
    words = weights.pop("words")
    return Encoder(
        labels=labels,
        pieces={piece: row for row, piece in enumerate(pieces)},
        words=words,
        rest=weights,
        layers=sum(name.endswith(".qw") for name in weights),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondOpinion:
    """Two models that hear the same sentence; what one is sure of and the other denies, neither is sure of."""

    first: HearingModel
    encoder: Encoder
    margins: Margins

    def chances(self, words: Sequence[str]) -> dict[str, float]:
        """How likely each label is, 0..1: the weighted mean of both models' log odds."""
        second = self.encoder.logits(words)
        return {
            label: _chance((1 - ENCODER_SHARE) * _log_odds(chance) + ENCODER_SHARE * second[label])
            for label, chance in self.first.chances(words).items()
        }


def _log_odds(chance: float) -> float:
    kept = min(max(chance, _NEVER), 1 - _NEVER)
    return log(kept / (1 - kept))


def _chance(odds: float) -> float:
    return 1 / (1 + exp(-max(-50.0, min(50.0, odds))))


@cache
def second_opinion() -> SecondOpinion:
    """Both models that ship with the package."""
    return SecondOpinion(first=default_model(), encoder=default_encoder(), margins=MARGINS)


@cache
def default_encoder() -> Encoder:
    """The encoder that ships with the package."""
    with resources.files("mivas.caller").joinpath("data/encoder.npz").open("rb") as file:
        return read_encoder(file)
