from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mivas.errors import UnknownName
from mivas.speech import Ears, Voice, WeightsMissing, load_ears, word_error

np = pytest.importorskip("numpy")
SENTENCES = (
    "Hello, I'd like to change my appointment, please.",
    "The office is on Park Avenue, and it opens at nine.",
    "My zip code is 11201.",
)
Decode = Callable[..., tuple[str, int]]


@pytest.fixture
def scripted(ears: Ears, monkeypatch: pytest.MonkeyPatch) -> Callable[[list[tuple[str, int]]], list[tuple[float, str]]]:
    """Replace the model by the answers given; what it is asked (window, prompt) is returned."""

    def script(answers: list[tuple[str, int]]) -> list[tuple[float, str]]:
        asked: list[tuple[float, str]] = []
        waiting = list(answers)

        def decoded(pcm: Any, window_s: float, prompt: str, most_tokens: int) -> tuple[str, int]:
            asked.append((window_s, prompt))
            return waiting.pop(0)

        monkeypatch.setattr(ears, "_decoded", decoded)
        return asked

    return script


def loud(seconds: float) -> Any:
    return (3000 * np.sin(np.arange(int(16_000 * seconds)))).astype(np.int16)


@pytest.mark.parametrize("text", SENTENCES)
def test_what_is_said_is_heard(voice: Voice, ears: Ears, text: str) -> None:
    assert word_error(text, ears.hear(voice.speak(text, 1))) <= 0.2


def test_sentences_of_a_turn_are_all_heard(voice: Voice, ears: Ears) -> None:
    text = " ".join(SENTENCES)
    assert word_error(text, ears.hear(voice.speak(text, 1))) <= 0.2


def test_a_turn_longer_than_the_window_is_heard_whole(voice: Voice, ears: Ears) -> None:
    text = " ".join([*SENTENCES, "I moved to another street last month.", "It is not far from the old one."] * 3)
    pcm = voice.speak(text, 1)
    assert len(pcm) > 30 * 16_000
    assert word_error(text, ears.hear(pcm)) <= 0.25


@pytest.mark.parametrize("length", [0, 1, 100, 16_000, 40 * 16_000])
def test_silence_says_nothing(ears: Ears, length: int) -> None:
    assert ears.hear(np.zeros(length, dtype=np.int16)) == ""
    hiss = np.random.default_rng(1).integers(-20, 20, length).astype(np.int16)
    assert ears.hear(hiss) == ""


def test_the_window_is_cut_to_the_turn_and_widened_for_endless_words(scripted: Any, ears: Ears) -> None:
    asked = scripted([("$63.00.00.00", 40), ("and so and so and so on", 40), ("It's $63.", 5)])
    assert ears.hear(loud(2.0)) == "It's $63."
    assert [window_s for window_s, _ in asked] == [5.0, 10.0, 30]


def test_words_that_come_twice_are_asked_for_again(scripted: Any, ears: Ears) -> None:
    asked = scripted([("My zip code is this. My zip code is this.", 12), ("My zip code is this.", 6)])
    assert ears.hear(loud(2.0)) == "My zip code is this."
    assert len(asked) == 2


def test_too_few_words_are_asked_for_again(scripted: Any, ears: Ears) -> None:
    asked = scripted([("Is.", 2), ("Is the office open on Saturdays?", 8)])
    assert ears.hear(loud(4.0)) == "Is the office open on Saturdays?"
    assert len(asked) == 2


def test_hardly_any_words_are_asked_for_a_third_time(scripted: Any, ears: Ears) -> None:
    asked = scripted([("The.", 2), ("The Tracking.", 4), ("The tracking page says so.", 9)])
    assert ears.hear(loud(4.0)) == "The tracking page says so."
    assert [window_s for window_s, _ in asked] == [7.0, 12.0, 30]


def test_few_words_may_be_all_there_are(scripted: Any, ears: Ears) -> None:
    asked = scripted([("Yes, it is.", 4), ("Yes, it.", 5)])
    assert ears.hear(loud(4.0)) == "Yes, it is."
    assert len(asked) == 2


def test_an_answer_of_one_word_is_believed(scripted: Any, ears: Ears) -> None:
    asked = scripted([("Yes.", 2)])
    assert ears.hear(loud(1.5)) == "Yes."
    assert len(asked) == 1


def test_a_text_that_only_repeats_itself_is_nothing(scripted: Any, ears: Ears) -> None:
    scripted([("no no " * 40, 90)] * 3)
    assert ears.hear(loud(2.0)) == ""


def test_an_echo_of_the_prompt_is_asked_for_again_without(scripted: Any, ears: Ears) -> None:
    asked = scripted([("Aetna, Cigna, Humana", 9), ("I have Aetna.", 4)])
    assert ears.hear(loud(2.0), "Aetna, Cigna, Humana.") == "I have Aetna."
    assert [prompt for _, prompt in asked] == ["Aetna, Cigna, Humana.", ""]


def test_a_prompt_of_any_length_is_taken(voice: Voice, ears: Ears) -> None:
    assert word_error("Good morning.", ears.hear(voice.speak("Good morning.", 1), "Whitaker, Delacroix " * 300)) <= 0.5


def test_other_weights_are_refused(ears: Ears) -> None:
    from dataclasses import replace

    from mivas.speech._whisper import TINY, WhisperEars

    with pytest.raises(WeightsMissing, match="not the file that was measured"):
        WhisperEars(replace(TINY, weights=replace(TINY.weights, sha256="0" * 64)))


def test_without_base_the_smaller_model_listens(ears: Ears, monkeypatch: pytest.MonkeyPatch) -> None:
    from mivas.speech import _whisper

    def loaded(name: str) -> Ears:
        if name == "base":
            raise WeightsMissing("not installed", where="voices and ears", mend="install it")
        return ears

    monkeypatch.setattr(_whisper, "_loaded", loaded)
    assert load_ears("whisper").name == "whisper/tiny.en"
    with pytest.raises(WeightsMissing):
        load_ears("whisper:base")


def test_unknown_models_are_told() -> None:
    with pytest.raises(UnknownName, match="no such model: huge"):
        load_ears("whisper:huge")
