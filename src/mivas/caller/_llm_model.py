"""The model behind a caller: one question, one answer, over the protocol of OpenAI's chat completions.

Blocks until the answer is there: a caller's thinking costs the call no time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from mivas.caller._engine import CallerLost
from mivas.endpoint import Endpoint, EndpointGarbled

Message: TypeAlias = Mapping[str, str]
MOST_TOKENS = 300
"""Of an answer; a caller's turn has about 30."""


class Model(Protocol):
    """Something that answers in words."""

    def ask(self, messages: Sequence[Message], seed: int) -> str:
        """The answer to a conversation; "" when there is none. Raises CallerLost."""


class EndpointModel:
    """A model behind an endpoint. Answers as steadily as the server lets it: temperature 0 and a seed.

    Servers that refuse one of these settings are asked without it from then on.
    """

    def __init__(self, model: str, endpoint: Endpoint) -> None:
        self._model = model
        self._endpoint = endpoint
        self._settings: dict[str, Any] = {"temperature": 0, "seed": 0, "max_tokens": MOST_TOKENS}
        self._client: Any = None

    def ask(self, messages: Sequence[Message], seed: int) -> str:
        try:
            while True:
                answer = self._asked(messages, seed)
                if answer is not None:
                    return answer
        except Exception as error:
            failure = self._endpoint.failure(error)
            if failure is None:
                raise
            raise CallerLost(f"{type(failure).__name__}: {failure}") from None

    def _asked(self, messages: Sequence[Message], seed: int) -> str | None:
        """The answer; None when a setting was given up and the question must be put again."""
        from openai import BadRequestError, OpenAI

        if self._client is None:
            self._client = OpenAI(**self._endpoint.client_options())
        settings = self._settings | ({"seed": seed % 2**31} if "seed" in self._settings else {})
        try:
            completion = self._client.chat.completions.create(model=self._model, messages=list(messages), **settings)
        except BadRequestError as error:
            refused = [name for name in self._settings if name in str(error)]
            if not refused:
                raise
            self._settings = {name: value for name, value in self._settings.items() if name not in refused}
            return None
        if not completion.choices:
            raise EndpointGarbled("an answer without choices")
        return completion.choices[0].message.content or ""
