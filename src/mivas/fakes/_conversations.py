"""Agents' sides of whole conversations, read from files, for any number of calls at once.

A request holds the conversation so far. It tells which script is meant (by how the call began) and where in it the call
stands (by how often the agent has answered), so nothing needs remembering between requests: calls may repeat,
overlap and be tried again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from mivas.errors import InputError
from mivas.fakes._chat_request import ChatRequest
from mivas.fakes._chat_script import BreakOff, Call, Garbage, Refuse, Reply, Stall, Step
from mivas.fakes._script import NoStep

FAULTS: Mapping[str, Step] = {
    "too-many-requests": Refuse(status=429),
    "server-error": Refuse(status=500),
    "break-off": BreakOff(),
    "garbage": Garbage(),
    "stall": Stall(),
}
"""Faults by the name a script file and the command line call them."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CallFile(_Model):
    """One tool call of an answer."""

    name: str
    arguments: dict[str, Any] | str = {}
    """An object, or raw text that stands in its place, for arguments that are no JSON."""


class AnswerFile(_Model):
    """One answer of the agent: words, tool calls, both, or a fault."""

    heard: tuple[str, ...] = ()
    """What the caller must have said by now, anywhere in the call; letters and digits count, nothing else."""
    again: str = ""
    """Said in its place, as often as needed, while the caller hasn't: the question in other words. "": refuse."""
    say: str = ""
    calls: tuple[CallFile, ...] = ()
    fault: Literal["too-many-requests", "server-error", "break-off", "garbage", "stall"] | None = None

    @model_validator(mode="after")
    def _does_something(self) -> AnswerFile:
        if (self.fault is None) == (not self.say and not self.calls):
            raise ValueError("needs either words or calls, or a fault")
        if self.again and not self.heard:
            raise ValueError("needs heard beside again: it says what is waited for")
        return self

    def missing(self, said: str) -> str | None:
        """The first thing that the caller should have said and hasn't.

        Args:
            said: all its words so far, as `_plain` gives them.
        """
        return next((text for text in self.heard if f" {_plain(text)} " not in f" {said} "), None)

    @property
    def step(self) -> Step:
        if self.fault is not None:
            return FAULTS[self.fault]
        calls = tuple(Call(name=call.name, arguments=call.arguments) for call in self.calls)
        return Reply(text=self.say, calls=calls)


class ConversationFile(_Model):
    """The agent's side of one call."""

    version: Literal[1]
    opens: str | None
    """Part of the caller's first words, by which the call is known. None: the agent opens, with its first answer."""
    answers: tuple[AnswerFile, ...]
    at_end: str = ""
    """Said, as often as needed, to a caller who is still there after the last answer. "": refuse."""

    @model_validator(mode="after")
    def _can_be_known(self) -> ConversationFile:
        if not self.answers:
            raise ValueError("needs an answer")
        if self.opens is None and not self.answers[0].say:
            raise ValueError("needs words in its first answer: they open the call")
        if self.opens is not None and not _plain(self.opens):
            raise ValueError("needs letters or digits in opens")
        return self


class Conversations:
    """Follows the script that each request's conversation belongs to."""

    def __init__(self, scripts: Mapping[str, ConversationFile]) -> None:
        self._scripts = scripts
        self._reached = dict.fromkeys(scripts, 0)
        """Answers given of each script, in the call that came furthest."""

    def step(self, request: ChatRequest) -> Step:
        name, call = self._call(request)
        script = self._scripts[name]
        given, said = _place(script, call)
        last = (request.said("user") or ["nothing"])[-1]
        if given >= len(script.answers):
            if script.at_end:
                return Reply(text=script.at_end)
            raise NoStep(f"script {name} is at its end; the caller said: {last}")
        answer = script.answers[given]
        missing = answer.missing(said)
        if missing is not None and answer.again:
            return Reply(text=answer.again)
        if missing is not None:
            raise NoStep(f"script {name}, answer {given + 1}: the caller hasn't said {missing!r}, last: {last}")
        self._reached[name] = max(self._reached[name], given + 1)
        return answer.step

    def complaint(self) -> str | None:
        short = [
            f"{name} ({self._reached[name]} of {len(script.answers)})"
            for name, script in self._scripts.items()
            if self._reached[name] < len(script.answers)
        ]
        return f"scripts not played to their end: {', '.join(short)}" if short else None

    def _call(self, request: ChatRequest) -> tuple[str, Sequence[Mapping[str, Any]]]:
        """The request's script, and the call's messages from where the script begins. Raises NoStep."""
        spoken = [message for message in request.history if message.get("role") in ("user", "assistant")]
        roles = [message["role"] for message in spoken]
        first_heard = roles.index("user") if "user" in roles else len(spoken)
        opening = _plain(str(spoken[first_heard].get("content"))) if first_heard < len(spoken) else ""
        for name, script in self._scripts.items():
            if script.opens is None and (not spoken or spoken[0].get("content") == script.answers[0].say):
                return name, spoken
        for name, script in self._scripts.items():
            if script.opens is not None and f" {_plain(script.opens)} " in f" {opening} ":
                return name, spoken[first_heard:]  # a greeting before it is the harness's own
        raise NoStep(f"no script for a call that begins: {opening or 'without a word'}")


def _place(script: ConversationFile, call: Sequence[Mapping[str, Any]]) -> tuple[int, str]:
    """How many answers of a script a call has had, and all that its caller said."""
    given, said = 0, ""
    for message in call:
        if message["role"] == "user":
            said = f"{said} {_plain(str(message.get('content')))}"
        elif given < len(script.answers) and script.answers[given].missing(said) is None:
            given += 1
    return given, said


def read_conversations(folder: Path) -> Conversations:
    """All scripts (`*.json`) under a folder, named by their path in it without the ending.

    Raises InputError for a folder without one, and for a file that is no script, naming file and key.
    """
    paths = sorted(folder.rglob("*.json")) if folder.is_dir() else []
    if not paths:
        raise InputError("holds no script (*.json)", where=str(folder), mend="name a folder with scripts")
    return Conversations({path.relative_to(folder).with_suffix("").as_posix(): _read(path) for path in paths})


def _read(path: Path) -> ConversationFile:
    try:
        return ConversationFile.model_validate_json(path.read_bytes())
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror})", where=str(path), mend="make it readable") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = "/".join([str(path), *_keys(first["loc"])])
        raise InputError(first["msg"], where=where, mend="see docs/chat.md") from None


def _keys(location: Sequence[Any]) -> list[str]:
    return [str(part) for part in location]


def _plain(text: str) -> str:
    """Letters and digits in lower case, words apart by single spaces."""
    return " ".join(re.findall(r"\w+", text.casefold()))
