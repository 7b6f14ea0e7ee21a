"""Nine people from one voice model: pitch and vocal tract are shifted between the network and the vocoder.

hibari is source-filter: the network returns pitch and spectral envelopes. Scaling the pitch and stretching the
envelopes along frequency makes another person of it, at no cost and no loss of intelligibility. `hibari.dsp` is no
public interface, so its version is pinned and the hash of the weights is checked.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from mivas.errors import UnknownName
from mivas.speech._inventory import HIBARI
from mivas.speech._level import levelled, trimmed
from mivas.speech._pcm import RATE_HZ
from mivas.speech._spoken import spoken
from mivas.speech._weights import packaged_file

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mivas.speech._pcm import Pcm

MODEL_HZ = 24_000
PAUSE_S = 0.42
"""Between two sentences."""
_SENTENCES = re.compile(r"(?<=[.!?])\s+")
LONGEST_TEXT = 4_000
"""Characters of one turn that are said: four to five minutes of speech, longer than any caller listens."""
TEXT_REVISION = 2
"""Raised whenever the same text comes to be said in other words or at another level."""
_DIGIT_WORD = "(?:oh|zero|one|two|three|four|five|six|seven|eight|nine)"
_LETTER = re.compile(
    r"(?<![\w'’])A(?=[ ,.]+[A-Z](?![\w'’]))|(?<=(?<![\w'’])[A-Z] )A(?![\w'’])"
    rf"|(?<![\w'’])A(?=, {_DIGIT_WORD}\b)"
)
"""The letter, which isn't said as the word is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """What makes a person: pitch and formants as factors of the model's own, and pace."""

    pitch: float
    formants: float
    pace: float


PEOPLE: dict[str, Shift] = {
    "f1": Shift(pitch=1.0, formants=1.0, pace=1.0),
    "m1": Shift(pitch=0.58, formants=0.87, pace=0.97),
    "f2": Shift(pitch=1.2, formants=1.06, pace=1.05),
    "m2": Shift(pitch=0.66, formants=0.9, pace=0.92),
    "f3": Shift(pitch=0.92, formants=1.02, pace=0.9),
    "f4": Shift(pitch=0.8, formants=0.94, pace=1.0),
    "f5": Shift(pitch=1.1, formants=1.03, pace=1.15),
    "m3": Shift(pitch=0.72, formants=0.89, pace=1.06),
    "agent": Shift(pitch=0.9, formants=0.98, pace=1.05),
}


def hibari(argument: str | None) -> HibariVoice:
    """Entry point `mivas.voices: hibari`; the argument names the person. Raises UnknownName, WeightsMissing."""
    person = argument or "agent"
    if person not in PEOPLE:
        raise UnknownName(f"no such person: {person}", where="hibari", mend=f"one of {', '.join(PEOPLE)}")
    return HibariVoice(person, PEOPLE[person], _engine())


@cache
def _engine() -> _Engine:
    return _Engine()


class _Engine:
    """The model, loaded once a process."""

    def __init__(self) -> None:
        HIBARI.check()
        [(package, path)] = HIBARI.files
        model = packaged_file(package, *path, mend=HIBARI.mend)
        from hibari import Hibari

        self._model: Any = Hibari(model=str(model), threads=1)
        self._lock = Lock()
        lexicon = files(__package__).joinpath("lexicon.json").read_bytes()
        self.revision = f"{HIBARI.sha256[:12]}+{TEXT_REVISION}.{hashlib.sha256(lexicon).hexdigest()[:6]}"
        said: dict[str, str] = json.loads(lexicon)
        self._lexicon = said | {word.capitalize(): said[word] for word in said if word.islower()}
        self._known = re.compile(rf"\b(?:{'|'.join(map(re.escape, self._lexicon))})\b")

    def phonemes(self, text: str) -> list[str]:
        """One string a sentence; none for a sentence with nothing in it that the model can say."""
        text = unicodedata.normalize("NFKD", text).encode("ascii", errors="ignore").decode()
        text = self._known.sub(lambda found: f"[{found[0]}](/{self._lexicon[found[0]]}/)", text)
        text = _LETTER.sub("[A](/ˈA/)", text)
        with self._lock:  # it keeps what it looked up
            sentences = self._model.phonemize(text)
        return [sentence for sentence in sentences if any(map(str.isalpha, sentence))]

    def sound(self, phonemes: str, shift: Shift, seed: int) -> NDArray[np.float32]:
        """24 kHz."""
        from hibari import dsp

        ids = self._model.ids(phonemes)
        if len(ids) < 3:
            return np.zeros(0, dtype=np.float32)
        given = {"ids": np.asarray([ids], np.int64), "speed": np.asarray([shift.pace], np.float32)}
        lh, th, ln, lr, phi, f0 = (one[0] for one in self._model.sess.run(None, given))
        if shift.formants != 1.0:
            lh, th, ln, lr = (_stretched(one, shift.formants) for one in (lh, th, ln, lr))
        return np.asarray(dsp.synth(lh, th, ln, lr, phi, f0 * shift.pitch, np.random.default_rng(seed)))


@dataclass(frozen=True, slots=True)
class HibariVoice:
    """One person."""

    person: str
    shift: Shift
    engine: Any

    @property
    def name(self) -> str:
        return f"hibari/{self.person}"

    @property
    def revision(self) -> str:
        return f"{self.engine.revision}+{self.shift.pitch:g}/{self.shift.formants:g}/{self.shift.pace:g}"

    def speak(self, text: str, seed: int) -> Pcm:
        import soxr

        parts: list[NDArray[np.float32]] = []
        for sentence in _SENTENCES.split(spoken(_beginning(text))):
            for phonemes in self.engine.phonemes(sentence):
                sound = trimmed(self.engine.sound(phonemes, self.shift, seed), MODEL_HZ)
                if len(sound):
                    parts += [np.zeros(int(PAUSE_S * MODEL_HZ), np.float32), sound] if parts else [sound]
        if not parts:
            return np.zeros(0, dtype=np.int16)
        sound = soxr.resample(np.concatenate(parts), MODEL_HZ, RATE_HZ)
        return levelled(np.asarray(sound, dtype=np.float32))


def _beginning(text: str) -> str:
    """As much of the text as is said, cut between two words."""
    if len(text) <= LONGEST_TEXT:
        return text
    return text[:LONGEST_TEXT].rpartition(" ")[0] or text[:LONGEST_TEXT]


def _stretched(envelope: NDArray[np.float32], factor: float) -> NDArray[np.float32]:
    """The envelope (bins, frames) with every frequency moved to `factor` times itself."""
    bins = len(envelope)
    at = np.clip(np.arange(bins, dtype=np.float32) / factor, 0, bins - 1)
    below = at.astype(np.int64)
    above = np.minimum(below + 1, bins - 1)
    part = (at - below)[:, None].astype(np.float32)
    return np.asarray(envelope[below] * (1 - part) + envelope[above] * part, dtype=np.float32)
