"""The sentence encoder: what it hears beside the linear model, and that any words get an answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mivas.caller import QUESTIONS, CallerEndpoint, Hearing, hearing_of, load_caller, understand
from mivas.caller._hearing_model import default_model
from mivas.caller._hearing_words import tokens
from mivas.errors import InputError

encoder = pytest.importorskip("mivas.caller._hearing_encoder", reason="numpy isn't installed")
WORDINGS = Path(__file__).parents[2] / "src/mivas/caller/data/wordings"


@pytest.fixture(scope="module")
def both() -> Hearing:
    found = hearing_of("second-opinion")
    assert found is not None
    return found


def single_questions() -> Iterator[tuple[str, str]]:
    """Every fortieth sentence that asks one thing."""
    rows = [json.loads(line) for line in (WORDINGS / "questions.jsonl").read_text("utf-8").splitlines()]
    for row in rows[::40]:
        if len(row["heard"]["questions"]) == 1 and row["text"].count("?") <= 1:
            yield row["text"], row["heard"]["questions"][0]


def test_it_hears_what_it_learned(both: Hearing) -> None:
    asked = list(single_questions())
    assert len(asked) > 30
    heard = [name in understand(text, (), both).questions for text, name in asked]
    assert sum(heard) >= 0.9 * len(heard)


def test_it_hears_other_words_for_the_same(both: Hearing) -> None:
    assert understand("And whereabouts would you prefer to be seen?", (), both).questions == {"office"}


def test_labels_are_those_of_the_linear_model(both: Hearing) -> None:
    assert set(both.chances(tokens("Hello."))) == set(default_model().labels)


def test_what_one_denies_neither_is_sure_of() -> None:
    found = encoder.second_opinion()
    words = tokens("May I have your name?")
    linear, alone = found.first.chances(words)["q:name"], found.encoder.logits(words)["q:name"]
    mixed = found.chances(words)["q:name"]
    assert min(linear, 1 / (1 + 2.718281828**-alone)) - 1e-9 <= mixed <= 1


@given(st.text(max_size=300))
@settings(max_examples=50, deadline=None)
def test_any_words_get_the_same_answer_twice(text: str) -> None:
    found = encoder.second_opinion()
    first = understand(text, (), found)
    assert first == understand(text, (), found)
    assert first.questions <= set(QUESTIONS)


def test_long_sentences_are_cut() -> None:
    rows = encoder._piece_rows(["insurance"] * 500, encoder.default_encoder().pieces)
    assert len(rows) == encoder.MAX_PIECES


def test_a_word_that_no_piece_fits_is_unknown() -> None:
    pieces = encoder.default_encoder().pieces
    assert encoder._cut("№№", pieces) == [pieces["[UNK]"]]


def test_other_callers_hear_with_the_model_that_every_caller_has() -> None:
    assert hearing_of("program") is None


def test_it_takes_no_model() -> None:
    with pytest.raises(InputError, match="second-opinion takes no model"):
        load_caller("second-opinion", CallerEndpoint(model="gpt"))
