"""The weights that ship, and how they are applied."""

from __future__ import annotations

import importlib.util
import json
from importlib import resources
from pathlib import Path

import pytest

from mivas.caller import OFFERS, QUESTIONS, STATEMENTS
from mivas.caller._hearing_model import ASKS, DENIES, OFFERS_SOMETHING, default_model, read_model
from mivas.caller._hearing_words import features, tokens

ROOT = Path(__file__).parents[2]


def test_a_label_is_as_likely_as_its_weights_say() -> None:
    model = read_model(
        '{"labels": ["asks", "q:zip"], "bias": [0, -100], "weights": {"zip": [1, 300], "your": [0, 50]}}'
    )
    assert model.chances(["your", "zip"]) == {
        "asks": pytest.approx(0.6225, abs=1e-4),
        "q:zip": pytest.approx(0.8808, abs=1e-4),
    }
    assert model.chances([]) == {"asks": 0.5, "q:zip": pytest.approx(0.2689, abs=1e-4)}


def test_the_model_that_ships_knows_every_id() -> None:
    assert set(default_model().labels) == {
        ASKS, OFFERS_SOMETHING, DENIES,
        *(f"q:{name}" for name in QUESTIONS), *(f"o:{name}" for name in OFFERS), *(f"v:{name}" for name in STATEMENTS),
    }  # fmt: skip


def test_the_weights_that_ship_follow_from_the_sentences_that_ship() -> None:
    pytest.importorskip("scipy")
    spec = importlib.util.spec_from_file_location("train_hearing", ROOT / "tools/train_hearing.py")
    assert spec is not None
    assert spec.loader is not None
    trainer = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["train_hearing"] = trainer
    spec.loader.exec_module(trainer)
    stored = json.loads(resources.files("mivas.caller").joinpath("data/hearing.json").read_text("utf-8"))
    assert stored["training_sha256"] == trainer.training_hash(), "run tools/train_hearing.py"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What's your zip?", "what is your zip ?"),
        ("I can't; I'd rather not", "i can not i would rather not"),
        ("on Monday, June third at 9:30", "on <day> <month> <ordinal> at <number>"),
        ("B O S S", "<letter> o <letter>"),
        ("", ""),
    ],
)
def test_tokens(text: str, words: str) -> None:
    assert " ".join(tokens(text)) == words


def test_features_are_words_pairs_triples_gaps_and_pieces_each_once() -> None:
    found = features(["your", "zip"])
    assert {"your", "zip", "your zip", "^ your", "zip $", "^ your zip", "^ _ zip", "#<you"} <= set(found)
    assert len(found) == len(set(found))
