"""Whisper on CTranslate2, with its window cut to the utterance. Weights come in packages; nothing is downloaded.

Cutting the 30 s window to the utterance plus 3 s is five to seven times as fast at the same word error. An output that
runs on for ever (too many tokens a second, or text that repeats itself) is stopped and made again with a longer window.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from rapidfuzz.fuzz import partial_ratio

from mivas.errors import UnknownName
from mivas.speech._errors import WeightsMissing
from mivas.speech._inventory import WHISPER_BASE, WHISPER_TINY, Weights
from mivas.speech._level import audible
from mivas.speech._mel import HOP, log_mel
from mivas.speech._pcm import RATE_HZ
from mivas.speech._weights import packaged_file

if TYPE_CHECKING:
    from pathlib import Path

    from mivas.speech._pcm import Pcm

WINDOW_S = 30
PADS_S = (3, 8)
"""Added to the sound; the longer one where the words of the shorter can't be."""
LONGEST_S = 26
"""A turn that is longer is cut at its quietest places: 26 s and the pad fit the window."""
FRAME_MS = 20
SENTENCE_PAUSE_MS = 650
"""A pause from which on two sentences are heard apart. Shorter ones stand inside numbers, which suffer by a cut."""
SHORTEST_PART_MS = 700
QUIET_SHARE = 1e-3
"""Energy, as a share of the loud parts', below which it is a pause: 30 dB less."""
MOST_ECHO = 85.0
"""Likeness, 0 to 100, from which words are the prompt's and not the speaker's."""
TOKENS_PER_S, LEAST_TOKENS, MOST_REPETITION = 7, 20, 2.0
FEW_WORDS = 4
FEWEST_PER_S, HARDLY_PER_S, FEW_FROM_S = 2.0, 1.2, 2.0
"""Fewer tokens a second in a longer sound, and the model may have stopped too early: a second window is asked, and a
third if there are hardly any."""
PROMPT_TOKENS = 200
MOST_TOKENS = 448
"""Of prompt and words together: the model's memory. CTranslate2 gives the words half of it at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A Whisper, by the name its users know."""

    name: str
    weights: Weights
    """Tokenizer and configuration lie beside the first part."""
    multilingual: bool


TINY = Model(name="tiny.en", weights=WHISPER_TINY, multilingual=False)
BASE = Model(name="base", weights=WHISPER_BASE, multilingual=True)
MODELS = {model.name: model for model in (TINY, BASE)}


def whisper(argument: str | None) -> WhisperEars:
    """Entry point `mivas.ears: whisper`. The argument names the model; without one base where installed, else tiny.en.

    Raises UnknownName, WeightsMissing.
    """
    if argument is None:
        try:
            return _loaded("base")
        except WeightsMissing:
            return _loaded("tiny.en")
    if argument not in MODELS:
        raise UnknownName(f"no such model: {argument}", where="whisper", mend=f"one of {', '.join(sorted(MODELS))}")
    return _loaded(argument)


@cache
def _loaded(name: str) -> WhisperEars:
    return WhisperEars(MODELS[name])


class WhisperEars:
    """One model in memory, one thread at a time."""

    def __init__(self, model: Model) -> None:
        import ctranslate2
        import tokenizers

        weights = model.weights
        weights.check()
        parts = [packaged_file(package, *path, mend=weights.mend) for package, path in weights.files]
        folder = parts[0].parent
        self.name = f"whisper/{model.name}"
        self.revision = f"{weights.sha256[:12]}+4"
        self._tokenizer: Any = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._model: Any = ctranslate2.models.Whisper(
            model.name, device="cpu", compute_type="int8", inter_threads=1, intra_threads=1, files=_files(folder, parts)
        )
        self._lock = Lock()
        self._start = [self._id("<|startoftranscript|>")]
        if model.multilingual:
            self._start += [self._id("<|en|>"), self._id("<|transcribe|>")]
        self._start.append(self._id("<|notimestamps|>"))
        self._previous = self._id("<|startofprev|>")

    def hear(self, pcm: Pcm, prompt: str = "") -> str:
        if not audible(pcm):
            return ""
        texts = [self._hear_piece(piece, prompt) for part in _parts(pcm) for piece in _pieces(part)]
        return " ".join(map(_closed, filter(None, texts)))

    def _hear_piece(self, pcm: Pcm, prompt: str) -> str:
        """Windows from the shortest to the whole, until one gives words that the sound has time for and is full of."""
        seconds = len(pcm) / RATE_HZ
        most_tokens = max(LEAST_TOKENS, int(TOKENS_PER_S * seconds))
        fewest_tokens = FEWEST_PER_S * seconds if seconds >= FEW_FROM_S else 1
        text = short = ""
        for pad_s in (*PADS_S, WINDOW_S):
            window_s = min(seconds + pad_s, WINDOW_S)
            text, tokens = self._decoded(pcm, window_s, prompt, most_tokens)
            if prompt and partial_ratio(text, prompt) > MOST_ECHO:
                prompt = ""
                text, tokens = self._decoded(pcm, window_s, prompt, most_tokens)
            if tokens > most_tokens or _repeats(text) or _twice(text):
                continue
            if tokens >= fewest_tokens:
                return max(short, text, key=len)
            short = max(short, text, key=len)
            fewest_tokens = HARDLY_PER_S * seconds
        return short or ("" if _repeats(text) else text)

    def _decoded(self, pcm: Pcm, window_s: float, prompt: str, most_tokens: int) -> tuple[str, int]:
        import ctranslate2

        samples = -(-int(window_s * RATE_HZ) // (2 * HOP)) * 2 * HOP
        features = ctranslate2.StorageView.from_array(np.ascontiguousarray(log_mel(pcm, samples)[None]))
        tokens = list(self._start)
        if prompt:
            before = self._tokenizer.encode(" " + prompt, add_special_tokens=False).ids[-PROMPT_TOKENS:]
            tokens = [self._previous, *before, *tokens]
        with self._lock:
            [result] = self._model.generate(
                features,
                [tokens],
                beam_size=1,
                max_length=min(max(2 * most_tokens, len(tokens) + most_tokens) + 4, MOST_TOKENS),
                suppress_blank=True,
            )
        ids = result.sequences_ids[0]
        return self._tokenizer.decode(ids, skip_special_tokens=True).strip(), len(ids)

    def _id(self, token: str) -> int:
        return int(self._tokenizer.token_to_id(token))


def _files(folder: Path, parts: list[Path]) -> dict[str, bytes]:
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in (".json", ".txt")}
    return files | {"model.bin": b"".join(part.read_bytes() for part in parts)}


def _parts(pcm: Pcm) -> list[Pcm]:
    """The sound cut at its pauses, in the middle of each, so that every sentence is heard as one."""
    frame = RATE_HZ * FRAME_MS // 1000
    energies = np.mean(pcm[: len(pcm) // frame * frame].reshape(-1, frame).astype(np.float32) ** 2, axis=1)
    if not len(energies):
        return [pcm]
    quiet = energies < max(float(np.percentile(energies, 90)) * QUIET_SHARE, 4 * float(energies.min()) + 1)
    parts, begin, run = [], 0, 0
    for place, silent in enumerate(quiet):
        if silent:
            run += 1
            continue
        cut = place - run // 2
        if run * FRAME_MS >= SENTENCE_PAUSE_MS and (cut - begin) * FRAME_MS >= SHORTEST_PART_MS and begin < place - run:
            parts.append(pcm[begin * frame : cut * frame])
            begin = cut
        run = 0
    return [*parts, pcm[begin * frame :]]


def _closed(text: str) -> str:
    """A part's words as a sentence of their own."""
    return text if text[-1] in ".?!" else f"{text.rstrip(',;:- ')}."


def _pieces(pcm: Pcm) -> list[Pcm]:
    """The sound in pieces that fit the window, cut where it is quietest in the last third of each."""
    longest = LONGEST_S * RATE_HZ
    pieces = []
    while len(pcm) > longest:
        begin, step = longest * 2 // 3, RATE_HZ // 10
        energies = [
            (float(np.sum(pcm[at : at + step].astype(np.float32) ** 2)), at) for at in range(begin, longest, step)
        ]
        cut = min(energies)[1] + step // 2
        pieces.append(pcm[:cut])
        pcm = pcm[cut:]
    return [*pieces, pcm]


def _repeats(text: str) -> bool:
    data = text.encode()
    return len(data) > 60 and len(data) / len(zlib.compress(data)) > MOST_REPETITION


def _twice(text: str) -> bool:
    """Whether a few words come twice in a row, as from a model that begins again."""
    words = [word.strip(".,?!").lower() for word in text.split()]
    sizes = range(FEW_WORDS, len(words) // 2 + 1)
    return any(
        words[at : at + size] == words[at + size : at + 2 * size]
        for size in sizes
        for at in range(len(words) - 2 * size + 1)
    )
