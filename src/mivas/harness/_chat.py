"""`chat`: any OpenAI-compatible model, in text, at the desk of the active node.

The request is always the active node's: its prompt, its tools, and what was said and done so far, transfers included.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from mivas.endpoint import Endpoint
from mivas.errors import InputError
from mivas.harness._completions import Answer, AskedCall, Completions, Message
from mivas.harness._desk import Desk
from mivas.harness._harness import Capabilities, TextAgent
from mivas.harness._projection import chat_schema

MOST_ROUNDS = 24
"""Requests in one turn; a model that only calls tools would keep the caller waiting for ever."""
SILENCE = "[silence]"
"""Stands for a caller who said nothing: endpoints reject a message without content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatHarness:
    """Harness of one model behind one endpoint."""

    model: str | None
    endpoint: Endpoint | None = None

    revision = "1"

    @property
    def name(self) -> str:
        return f"chat:{self.model}" if self.model else "chat"

    @property
    def capabilities(self) -> Capabilities:
        models = (self.model,) if self.model else ()
        return Capabilities(modes=("text",), clock="real", takes_endpoint=True, models=models)

    def at(self, endpoint: Endpoint) -> ChatHarness:
        """The same model, reached there. Raises InputError for what is missing: model, key, client library."""
        if not self.model:
            raise InputError("no model given", where="--harness chat", mend="name one, such as --model gpt-4.1")
        endpoint.check("--harness chat")
        Completions(self.model, endpoint).warm_up()
        return replace(self, endpoint=endpoint)

    def answer(self, desk: Desk) -> TextAgent:
        if self.model is None or self.endpoint is None:
            raise InputError("no endpoint given", where=f"harness {self.name}", mend="give it one with at()")
        return ChatAgent(desk, Completions(self.model, self.endpoint))


def chat(argument: str | None) -> ChatHarness:
    """Entry point `mivas.harnesses: chat`; the argument is the model: `chat:gpt-4.1`."""
    return ChatHarness(model=argument)


class ChatAgent:
    """The model's side of one call."""

    def __init__(self, desk: Desk, completions: Completions) -> None:
        self._desk = desk
        self._completions = completions
        self._history: list[Message] = []
        self._refs: set[str] = set()
        """Call references so far."""
        if desk.greeting is not None:
            self._history.append({"role": "assistant", "content": desk.greeting})

    async def turn(self, heard: str | None) -> str:
        if heard is not None:
            self._history.append({"role": "user", "content": _sendable(heard) or SILENCE})
        said: list[str] = []
        for _ in range(MOST_ROUNDS):
            answer = await self._ask()
            said += filter(None, [answer.text.strip() or answer.refusal.strip()])
            if not answer.calls:
                break
            await self._carry_out(answer.calls)
            if self._desk.hang_up is not None:
                break
        else:
            self._desk.note("tool_rounds", f"{MOST_ROUNDS} requests in one turn and still calling tools")
        return " ".join(said)

    async def aclose(self) -> None:
        await self._completions.aclose()

    async def _ask(self) -> Answer:
        prompt = {"role": "system", "content": self._desk.node.instructions}
        answer = await self._completions.ask([prompt, *self._history], self._tools())
        if answer.tokens is not None:
            self._desk.report_usage(
                input_text_tokens=answer.tokens.given,
                cached_text_tokens=answer.tokens.cached,
                output_text_tokens=answer.tokens.made,
            )
        if answer.refusal:
            self._desk.note("refusal", answer.refusal)
        if answer.finish_reason not in ("stop", "tool_calls"):
            self._desk.note("finish_reason", answer.finish_reason)
        words = answer.text or answer.refusal
        if words and not answer.calls:
            self._history.append({"role": "assistant", "content": _sendable(words)})
        elif answer.calls:
            answer = self._with_own_ids(answer)
            self._history.append(_calling(answer, words))
        return answer

    def _tools(self) -> list[dict[str, Any]]:
        return [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": chat_schema(tool.input_schema),
                },
            }
            for tool in self._desk.tools
        ]

    def _with_own_ids(self, answer: Answer) -> Answer:
        """Give each call an id of its own: some servers count from zero in every answer, or send none.

        Nothing is ever sent twice over this protocol, so a repeated id is another call.
        """
        calls: list[AskedCall] = []
        for call in answer.calls:
            reference = call.id or "call"
            if reference in self._refs or not call.id:
                reference = f"{reference}-{len(self._history)}-{len(calls)}"
            self._refs.add(reference)
            calls.append(replace(call, id=reference))
        return replace(answer, calls=tuple(calls))

    async def _carry_out(self, calls: tuple[AskedCall, ...]) -> None:
        """Use the tools in the order of the answer: what stands after a handoff is the next node's to allow."""
        for call in calls:
            output = await self._output(call)
            text = _sendable(json.dumps(output, ensure_ascii=False, default=str))
            self._history.append({"role": "tool", "tool_call_id": call.id, "content": text})

    async def _output(self, call: AskedCall) -> Mapping[str, Any]:
        try:
            arguments = _arguments(call.raw_arguments)
        except ValueError as error:
            self._desk.note("malformed_arguments", f"{call.name}: {error}: {call.raw_arguments}")
            return {"success": False, "error": f"the arguments of {call.name} {error}; nothing was done"}
        result = await self._desk.call(call.name, arguments, call_ref=call.id)
        return result.output


def _arguments(raw: str) -> Mapping[str, Any]:
    """A model's arguments; nothing at all means none. Raises ValueError saying what they are not."""
    if not raw.strip():
        return {}
    try:
        arguments = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"are no JSON ({error})") from None
    if not isinstance(arguments, dict):
        raise ValueError("are no JSON object")
    return arguments


def _calling(answer: Answer, words: str) -> Message:
    """The message that keeps tool calls in the history."""
    return {
        "role": "assistant",
        "content": _sendable(words) or None,
        "tool_calls": [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": _sendable(call.name), "arguments": _kept(call.raw_arguments)},
            }
            for call in answer.calls
        ],
    }


def _kept(raw: str) -> str:
    """Arguments as the history keeps them: servers fail on their own model's broken JSON, its error result says it."""
    try:
        _arguments(raw)
    except ValueError:
        return "{}"
    return _sendable(raw) or "{}"


def _sendable(text: str) -> str:
    """Text that UTF-8 can carry: half a surrogate pair becomes a question mark."""
    return text.encode("utf-8", "replace").decode()
