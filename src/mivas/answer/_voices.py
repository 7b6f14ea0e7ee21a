"""From a harness to the agents that take its calls."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from mivas.errors import InputError
from mivas.harness import AgentLine, VoiceAgent

AgentMaker: TypeAlias = Callable[[AgentLine], VoiceAgent]
"""Takes one call, without blocking."""
LENT_VOICE, LENT_EARS = "hibari:agent", "whisper"


def agent_maker(name: str, harness: Any, *, voice: str = LENT_VOICE, ears: str = LENT_EARS) -> AgentMaker:
    """Who answers: the harness itself, or its text agents with the named voice and ears, which are loaded now.

    Raises InputError for a harness that can't answer strangers: one that must be shown the task, or runs elsewhere.
    """
    capabilities = harness.capabilities
    if capabilities.knows_answers:
        raise InputError(f"harness {name} has to be shown the task", where="--harness", mend="choose another")
    if capabilities.works_elsewhere:
        raise InputError(f"harness {name} answers elsewhere already", where="--harness", mend="call it by its URL")
    if "voice" in capabilities.modes:
        maker: AgentMaker = harness.pick_up
        return maker
    return _lent(harness, voice, ears)


def _lent(harness: Any, voice_name: str, ears_name: str) -> AgentMaker:
    try:
        from mivas.harness.spoken import SpokenTextAgent
        from mivas.line.spoken import AcousticListening
        from mivas.speech import load_ears, load_voice
    except ModuleNotFoundError as error:
        raise InputError(
            f"spoken calls need {error.name}", where="mivas answer", mend="pip install 'mivas[voice]'"
        ) from None
    voice, ears = load_voice(voice_name), load_ears(ears_name)

    def answer(line: AgentLine) -> VoiceAgent:
        agent = harness.answer(line.desk)
        return SpokenTextAgent(agent, line, speak=partial(voice.speak, seed=0), listening=AcousticListening(ears.hear))

    return answer
