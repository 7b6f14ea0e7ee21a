"""Entry point `mivas.callers: llm`: a caller that has its words from a language model."""

from __future__ import annotations

from mivas.caller._engine import Caller, CallerBrief, CallerEndpoint
from mivas.caller._llm_free import FreeCaller
from mivas.caller._llm_model import EndpointModel
from mivas.caller._llm_phraser import ModelPhraser
from mivas.caller._program import ProgramCaller
from mivas.endpoint import Endpoint
from mivas.errors import InputError


class LlmKind:
    """Callers whose decisions a model words; for tasks without a program it decides as well."""

    name = "llm"
    revision = "1"

    def __init__(self, model: str, endpoint: Endpoint) -> None:
        self.model: str | None = model
        self._asked = EndpointModel(model, endpoint)

    def phone(self, brief: CallerBrief, seed: int) -> Caller:
        if brief.approximate:
            return FreeCaller(brief, seed, self._asked)
        persona = brief.program.persona
        phraser = ModelPhraser(self._asked, voice=persona.voice, pace=persona.pace)
        return ProgramCaller(brief, seed, phraser)


def llm(endpoint: CallerEndpoint) -> LlmKind:
    """Raises InputError for what is missing: model, key, client library."""
    if not endpoint.model:
        raise InputError("no model given", where="--caller llm", mend="name one, such as --caller-model gpt-4.1")
    reached = Endpoint(base_url=endpoint.base_url, api_key=endpoint.api_key)
    reached.check("--caller llm")
    return LlmKind(endpoint.model, reached)
