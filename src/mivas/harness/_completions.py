"""One answer of a chat-completions endpoint, streamed by the official client and put together again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from mivas.endpoint import Endpoint, EndpointUnreachable

Message: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedCall:
    """A tool call as the model sent it."""

    id: str
    name: str
    raw_arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """What the endpoint counted. None: not reported."""

    given: int | None
    cached: int | None
    made: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A whole answer."""

    text: str
    refusal: str
    calls: tuple[AskedCall, ...]
    finish_reason: str
    tokens: Tokens | None


@dataclass
class _Pieces:
    """An answer under way."""

    text: str = ""
    refusal: str = ""
    calls: list[dict[str, str]] = field(default_factory=list)
    open_calls: dict[int, dict[str, str]] = field(default_factory=dict)
    """The call that further fragments belong to, by index."""
    finish_reason: str | None = None
    tokens: Tokens | None = None

    def add(self, chunk: Any) -> None:
        if chunk.usage is not None:
            details = chunk.usage.prompt_tokens_details
            cached = details.cached_tokens if details is not None else None
            self.tokens = Tokens(given=chunk.usage.prompt_tokens, cached=cached, made=chunk.usage.completion_tokens)
        for choice in (chunk.choices or ())[:1]:
            self.text += choice.delta.content or ""
            self.refusal += choice.delta.refusal or ""
            for call in choice.delta.tool_calls or ():
                self._add_call(call)
            self.finish_reason = choice.finish_reason or self.finish_reason

    def _add_call(self, fragment: Any) -> None:
        call = self.open_calls.get(fragment.index)
        # Some servers number every call 0: another id starts another call.
        if call is None or (fragment.id and call["id"] and fragment.id != call["id"]):
            call = self.open_calls[fragment.index] = {"id": "", "name": "", "raw_arguments": ""}
            self.calls.append(call)
        call["id"] = fragment.id or call["id"]
        if fragment.function is not None:
            call["name"] += fragment.function.name or ""
            call["raw_arguments"] += fragment.function.arguments or ""

    def whole(self) -> Answer:
        if self.finish_reason is None:
            raise EndpointUnreachable("the answer broke off before its end")
        return Answer(
            text=self.text,
            refusal=self.refusal,
            calls=tuple(AskedCall(**call) for call in self.calls),
            finish_reason=self.finish_reason,
            tokens=self.tokens,
        )


class Completions:
    """The way to one model for one call. Belongs to the loop it is first used on."""

    def __init__(self, model: str, endpoint: Endpoint) -> None:
        from openai import AsyncOpenAI

        self._model = model
        self._endpoint = endpoint
        self._client = AsyncOpenAI(**endpoint.client_options())

    def warm_up(self) -> None:
        """Load the client's code now: it takes a second, which no call should pay for."""
        _ = self._client.chat.completions

    async def ask(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Answer:
        """Send one request and return its whole answer. Raises EndpointError; safe to cancel."""
        request: dict[str, Any] = {"model": self._model, "messages": list(messages), "stream": True}
        if tools:  # an empty list is an error
            request["tools"] = list(tools)
        pieces = _Pieces()
        try:
            async with await self._client.chat.completions.create(
                **request, stream_options={"include_usage": True}
            ) as stream:
                async for chunk in stream:
                    pieces.add(chunk)
            return pieces.whole()
        except Exception as error:
            failure = self._endpoint.failure(error)
            if failure is None:
                raise
            raise failure from None

    async def aclose(self) -> None:
        await self._client.close()
