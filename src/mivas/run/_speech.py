"""What the calls of a spoken run sound like and are heard with: chosen by names, loaded once a process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from mivas.caller import CallerBrief, manner_named, names_of, numbers_of, rare_words_of, understood_by_ear, words_of
from mivas.errors import InputError
from mivas.pack import Suite, Task

if TYPE_CHECKING:
    from mivas.line.sound import ChannelCondition
    from mivas.line.spoken import Pcm
    from mivas.run._voice_call import Sound
    from mivas.speech import Ears, Voice

Tier: TypeAlias = Literal["voiced-text", "acoustic"]
CLONE_SUFFIXES = ("-BG", "-SIG")
"""Tasks that differ from another by their line only; they keep its voice (scoring.md 8.2)."""
LONGEST_PROMPT = 400
"""Characters of what ears are primed with."""
CLEAN = "perfect"
MOST_WAITING = 10
"""Frames that a recording takes at a time."""
CACHE_VARIABLE = "MIVAS_SPEECH_CACHE"
"""Folder where sounds and transcripts stay for other processes and later runs; unset: in memory only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechChoice:
    """How the calls of a run sound, by names."""

    tier: Tier
    condition: str | None
    """Of every call; None: each task's own."""
    manner: str
    agent_voice: str
    caller_ears: str
    agent_ears: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechKit:
    """Loaded voices and ears."""

    choice: SpeechChoice
    caller_voices: tuple[Voice, ...]
    agent_voice: Voice
    caller_ears: Ears | None
    """None in the voiced-text tier."""
    agent_ears: Ears | None

    def sound(
        self,
        task: Task,
        suite: Suite,
        brief: CallerBrief,
        *,
        seed: int,
        agent_hears_words: bool,
        keyterms: tuple[str, ...],
        record: Callable[[Pcm, Pcm], None],
    ) -> Sound:
        """What one call of a task sounds like.

        Args:
            agent_hears_words: the agent knows the answers and is told what was said, whatever the tier.
            keyterms: what the agent's ears are primed with, from its own configuration.
        """
        from mivas.line.sound import Channel
        from mivas.run._voice_call import Sound

        condition = self.condition_of(task)
        voice = self.caller_voices[voice_index(suite, task.task_id, len(self.caller_voices))]
        return Sound(
            caller_voice=partial(_speak, voice, seed),
            agent_voice=partial(_speak, self.agent_voice, 0),
            caller_ears=self._callers_ears(brief),
            agent_ears=None if agent_hears_words else _primed(self.agent_ears, keyterms),
            to_agent=Channel(condition, seed),
            to_caller=Channel(condition.without_noise(), seed + 1),
            record=record,
            manner=manner_named(self.choice.manner),
            seed=seed,
        )

    def _callers_ears(self, brief: CallerBrief) -> Callable[[Pcm], str] | None:
        """Ears that know the caller's own names, as a person's do."""
        from mivas.speech import written

        facts = [text for fact in brief.program.facts for text in (fact.value, fact.say)]
        rare = rare_words_of((fact.value for fact in brief.program.facts), {fact.say for fact in brief.program.facts})
        names = (*names_of([brief.name, *brief.traits.values(), *facts]), *rare)
        texts = [*_own_texts(brief), *facts]
        numbers = numbers_of([*brief.traits.values(), *texts, *map(written, texts)])
        words = words_of(texts)
        hear = _primed(self.caller_ears, names)
        return None if hear is None else lambda pcm: understood_by_ear(hear(pcm), names, numbers, words)

    @contextmanager
    def recording(self, task: Task, path: Path) -> Iterator[Callable[[Pcm, Pcm], None]]:
        """Keep a call's sound at that path; what is yielded takes both frames of a tick as they arrived."""
        from mivas.line.sound import Channel, Recorder

        condition = self.condition_of(task)
        delays = [Channel(one, 0).delay_ms for one in (condition, condition.without_noise())]
        recording = AlignedRecording(Recorder(path), *delays)
        try:
            yield recording.add
        finally:
            recording.close()

    def condition_of(self, task: Task) -> ChannelCondition:
        """The line of a task's calls; a clean one in the voiced-text tier, where nobody has to hear."""
        from mivas.line.sound import parse_condition

        if self.choice.tier == "voiced-text":
            return parse_condition(CLEAN)
        return parse_condition(self.choice.condition or task.file.metadata.audio_condition)

    @property
    def manifest(self) -> Mapping[str, Any]:
        """The entries `voices`, `ears`, `tier` and `condition` of `run.json`."""
        acoustic = self.choice.tier == "acoustic"
        return {
            "voices": {
                "caller": [{"name": one.name, "revision": one.revision} for one in self.caller_voices],
                "agent": {"name": self.agent_voice.name, "revision": self.agent_voice.revision},
            },
            "ears": {"caller": _named(self.caller_ears), "agent": _named(self.agent_ears)},
            "tier": self.choice.tier,
            "condition": (self.choice.condition or "per task") if acoustic else None,
        }


@cache
def speech_kit(choice: SpeechChoice) -> SpeechKit:
    """Load voices and ears. Raises WeightsMissing, UnknownName, InputError (extra `voice` not installed)."""
    try:
        from mivas.line.sound import parse_condition
        from mivas.speech import CALLER_VOICES, CachedEars, CachedVoice, load_ears, load_voice
    except ModuleNotFoundError as error:
        raise InputError(
            f"spoken calls need {error.name}", where="--mode voice", mend="pip install 'mivas[voice]'"
        ) from None
    manner_named(choice.manner)
    if choice.condition is not None:
        parse_condition(choice.condition)
    acoustic = choice.tier == "acoustic"
    folder = Path(given).expanduser() if (given := os.environ.get(CACHE_VARIABLE, "").strip()) else None
    return SpeechKit(
        choice=choice,
        caller_voices=tuple(CachedVoice(load_voice(name), folder) for name in CALLER_VOICES),
        agent_voice=CachedVoice(load_voice(choice.agent_voice), folder),
        caller_ears=CachedEars(load_ears(choice.caller_ears), folder) if acoustic else None,
        agent_ears=CachedEars(load_ears(choice.agent_ears), folder) if acoustic else None,
    )


def voice_index(suite: Suite, task_id: str, voices: int) -> int:
    """Which voice a task's caller has: base cases take turns in the order of their ids, clones follow theirs."""
    base = _base_of(task_id)
    cases = sorted({_base_of(one) for one in suite.tasks})
    return cases.index(base) % voices


def _base_of(task_id: str) -> str:
    for suffix in CLONE_SUFFIXES:
        task_id = task_id.removesuffix(suffix)
    return task_id


def _own_texts(brief: CallerBrief) -> Iterator[str]:
    """What a caller may say."""
    program = brief.program
    yield from (program.opening or "", program.exit.say, *brief.locked_replies)
    for goal in program.goals:
        yield from (*goal.ask, goal.again)
    for change in program.changes:
        yield change.say


def _speak(voice: Voice, seed: int, text: str) -> Pcm:
    return voice.speak(text, seed)


def _primed(ears: Ears | None, terms: tuple[str, ...]) -> Callable[[Pcm], str] | None:
    if ears is None:
        return None
    prompt = ""
    for term in terms:
        if len(prompt) + len(term) > LONGEST_PROMPT:
            break
        prompt += f"{', ' if prompt else ''}{term}"
    return partial(_hear, ears, f"{prompt}." if prompt else "")


def _hear(ears: Ears, prompt: str, pcm: Pcm) -> str:
    return ears.hear(pcm, prompt)


def _named(ears: Ears | None) -> dict[str, str] | None:
    return None if ears is None else {"name": ears.name, "revision": ears.revision}


class AlignedRecording:
    """Takes each direction's delay out, so that a sample's place in the file is when it was said.

    Args:
        recorder: gets frames of both channels, (caller, agent).
        caller_delay_ms, agent_delay_ms: of the channels they came through.
    """

    def __init__(self, recorder: Any, caller_delay_ms: int, agent_delay_ms: int) -> None:
        from mivas.line.spoken import BUS_HZ

        self._recorder = recorder
        self._skip = [delay * BUS_HZ // 1000 for delay in (caller_delay_ms, agent_delay_ms)]
        self._waiting: list[list[Pcm]] = [[], []]

    def add(self, caller: Pcm, agent: Pcm) -> None:
        """Both frames of a tick as they arrived."""
        for side, frame in enumerate((caller, agent)):
            cut = min(self._skip[side], len(frame))
            self._skip[side] -= cut
            self._waiting[side].append(frame[cut:])
        if len(self._waiting[0]) >= MOST_WAITING:
            self._write()

    def close(self) -> None:
        """Fill up the end of the channel that came later, and close the file."""
        import numpy as np

        lengths = [sum(map(len, waiting)) for waiting in self._waiting]
        for waiting, length in zip(self._waiting, lengths, strict=True):
            waiting.append(np.zeros(max(lengths) - length, dtype=np.int16))
        self._write(everything=True)
        self._recorder.close()

    def _write(self, *, everything: bool = False) -> None:
        import numpy as np

        from mivas.line.spoken import FRAME_SAMPLES

        joined = [np.concatenate(waiting) for waiting in self._waiting]
        ready = min(map(len, joined))
        ready -= 0 if everything else ready % FRAME_SAMPLES
        if ready:
            self._recorder.add(joined[0][:ready], joined[1][:ready])
        self._waiting = [[rest[ready:]] for rest in joined]


def recording_path(folder: Path) -> Path:
    """Where a call's sound is kept (formats.md 6)."""
    return folder / "audio.flac"
