"""Who decides what a scripted endpoint does next: steps in the order requests arrive, or one step for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from mivas.fakes._chat_request import ChatRequest
from mivas.fakes._chat_script import Refuse, Step


class Script(Protocol):
    """What a scripted endpoint follows. Called under a lock, one request at a time."""

    def step(self, request: ChatRequest) -> Step:
        """What to do with a request that just arrived. Raises NoStep when the script has nothing for it."""

    def complaint(self) -> str | None:
        """What of the script was not followed, once the endpoint closes; None: all is well."""


class NoStep(Exception):
    """The script has nothing for a request. Its text goes to the client, as the message of an HTTP 400."""

    @property
    def refusal(self) -> Refuse:
        return Refuse(status=400, message=str(self))


class InOrder:
    """Steps in the order requests arrive, each used once."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = tuple(steps)
        self._arrived = 0

    def step(self, request: ChatRequest) -> Step:  # noqa: ARG002 (whatever is asked)
        self._arrived += 1
        if self._arrived > len(self._steps):
            raise NoStep("the script has no step left")
        return self._steps[self._arrived - 1]

    def complaint(self) -> str | None:
        surplus = self._arrived - len(self._steps)
        if surplus > 0:
            return f"{surplus} requests more than the script's {len(self._steps)} steps"
        if surplus < 0:
            return f"{self._arrived} of {len(self._steps)} steps were used; next: {self._steps[self._arrived]}"
        return None


class EachTime:
    """Whatever a function makes of each request; has no end, so nothing can be left over.

    >>> from mivas.fakes import Reply
    >>> EachTime(lambda request: Reply(text=request.said("user")[-1])).complaint() is None
    True
    """

    def __init__(self, answer: Callable[[ChatRequest], Step]) -> None:
        self._answer = answer

    def step(self, request: ChatRequest) -> Step:
        return self._answer(request)

    def complaint(self) -> str | None:
        return None
