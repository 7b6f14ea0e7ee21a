"""A linear model of what a sentence asks, offers and states: weights as data, plain Python to apply them.

Trained by `tools/train_hearing.py` from `data/wordings/`, `data/phrases.json` and the development half of the corpus.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import exp
from typing import Protocol

from mivas.caller._hearing_words import features

ASKS, OFFERS_SOMETHING, DENIES = "asks", "offers", "denies"
"""Labels about the whole sentence, beside `q:<question id>`, `o:<offer kind>` and `v:<statement id>`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Margins:
    """How sure a model must be before its best label is taken for heard. Chances 0..1, and ratios of two chances."""

    certain: float = 0.5
    """Chance from which on a sentence's best question or offer is heard."""
    margin: float = 5
    """How many times likelier than the next one the best must be where nothing joins the two."""
    margin_joined: float = 2
    """The same where an "and" or an "or" may join the two."""
    sure: float = 0.8
    """Chance from which on no margin is asked for."""
    doubted: float = 8
    """How many times likelier than any offer a question for consent must be to be answered."""
    faint: float = 0.3
    told: float = 0.8
    """Chance from which on a sentence with the form of a statement asks or offers something."""
    far: float = 8
    """A best one from `faint` on is heard as well when it is so many times likelier than the next."""
    also: float = 0.8
    """Chance from which on a further one of the sentence is heard; it needs an "and" or an "or" as well."""
    in_part: float = 0.75
    """The same within one of the parts that such words join."""
    in_whole: float = 0.2
    """What a part makes certain must not be quite unlikely in its whole sentence."""


class Hearing(Protocol):
    """Whatever says how likely a sentence asks, offers or states something."""

    @property
    def margins(self) -> Margins: ...

    def chances(self, words: Sequence[str]) -> dict[str, float]:
        """How likely each label is for a sentence's tokens, 0..1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HearingModel:
    """One weight for each feature and label, in hundredths; a label's chance is the logistic of their sum."""

    labels: Sequence[str]
    bias: Sequence[int]
    weights: Mapping[str, Sequence[int]]
    """Feature -> index of a label, its weight, index of another label, ...; the zeros left out."""
    margins: Margins = Margins()

    def chances(self, words: Sequence[str]) -> dict[str, float]:
        """How likely each label is for a sentence's tokens, 0..1."""
        sums = list(self.bias)
        for feature in features(words):
            pairs = iter(self.weights.get(feature, ()))
            for label, weight in zip(pairs, pairs, strict=True):
                sums[label] += weight
        return {label: _logistic(total / 100) for label, total in zip(self.labels, sums, strict=True)}


def _logistic(total: float) -> float:
    return 1 / (1 + exp(-total)) if total > -50 else 0.0


def read_model(text: str) -> HearingModel:
    """A model from the JSON that the trainer writes."""
    content = json.loads(text)
    return HearingModel(labels=tuple(content["labels"]), bias=tuple(content["bias"]), weights=content["weights"])


@cache
def default_model() -> HearingModel:
    """The model that ships with the package."""
    return read_model(resources.files("mivas.caller").joinpath("data/hearing.json").read_text("utf-8"))
