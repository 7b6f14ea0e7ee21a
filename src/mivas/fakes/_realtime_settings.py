"""The session as its client has configured it: updates checked and merged, settings read. Pure.

Source: providers.md 2-4, rows configure, formats, tool shape, and what may change later.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from mivas.fakes._realtime_profiles import Place, RealtimeProfile, SettingName
from mivas.fakes._realtime_sound import SoundFormat

TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
EAGERNESS_MS = {"low": 1000, "medium": 600, "auto": 600, "high": 300}
"""Silence that ends a turn under semantic_vad; a stand-in for its judgement."""
_FLAT_FORMATS = {"input_format": ({"pcm", "pcm16"}, 16_000), "output_format": ({"pcm", "pcm16", "pcm24"}, 24_000)}
_PARTS = frozenset({("audio",), ("audio", "input"), ("audio", "output")})


class Rejected(Exception):
    """A client's event that the provider answers with an error event."""

    def __init__(self, code: str, message: str, param: str | None = None, *, kind: str = "invalid_request_error"):
        super().__init__(message)
        self.code, self.message, self.param, self.kind = code, message, param, kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What has happened in the session so far."""

    updated: bool = False
    caller_audio: bool = False
    agent_audio: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDetection:
    """When the server takes the caller's turn for ended, and what it does then."""

    threshold: float
    prefix_ms: int
    silence_ms: int
    creates: bool
    interrupts: bool


class SessionSettings:
    """One session's effective settings. A value: `updated` gives another."""

    def __init__(self, profile: RealtimeProfile, effective: Mapping[str, Any]) -> None:
        self.profile = profile
        self.effective = effective

    @classmethod
    def default(cls, profile: RealtimeProfile, *, session_id: str, model: str) -> SessionSettings:
        return cls(profile, {"id": session_id, "model": model, **copy.deepcopy(dict(profile.defaults))})

    def updated(self, update: Any, progress: Progress) -> SessionSettings:
        """These with an update merged in. Raises Rejected and then changes nothing."""
        if not isinstance(update, dict):
            raise Rejected("invalid_type", "Invalid type for 'session': expected an object.", "session")
        update = copy.deepcopy(update)
        self._check_shape(update)
        self._check_values(update)
        self._apply_freezes(update, progress)
        return SessionSettings(self.profile, _merged(self.effective, update, ()))

    def setting(self, name: SettingName) -> Any:
        return _found(self.effective, self.profile.places[name])

    @property
    def instructions(self) -> str:
        return str(self.setting("instructions"))

    @property
    def voice(self) -> str:
        voice = self.setting("voice")
        return voice if isinstance(voice, str) else str(voice.get("id", ""))

    @property
    def tools(self) -> dict[str, Mapping[str, Any]]:
        """Functions offered, by name."""
        return declared_tools(self.setting("tools"))

    @property
    def speaks(self) -> bool:
        return "audio" in self.setting("modalities")

    @property
    def transcribes(self) -> bool:
        return self.setting("transcription") is not None

    @property
    def input_format(self) -> SoundFormat:
        return self._format("input_format")

    @property
    def output_format(self) -> SoundFormat:
        return self._format("output_format")

    @property
    def turn_detection(self) -> TurnDetection | None:
        """None: the client ends turns."""
        found = self.setting("turn_detection")
        if found is None:
            return None
        semantic = found["type"] == "semantic_vad"
        silence = EAGERNESS_MS[found.get("eagerness", "auto")] if semantic else found.get("silence_duration_ms", 500)
        return TurnDetection(
            threshold=found.get("threshold", 0.5),
            prefix_ms=found.get("prefix_padding_ms", 300),
            silence_ms=silence,
            creates=found.get("create_response", True),
            interrupts=found.get("interrupt_response", True),
        )

    def _format(self, name: Literal["input_format", "output_format"]) -> SoundFormat:
        found = self.setting(name)
        if isinstance(found, str):
            return SoundFormat("pcm", _FLAT_FORMATS[name][1])
        if found["type"] == "audio/pcm":
            return SoundFormat("pcm", found.get("rate", 24_000))
        return SoundFormat("ulaw" if found["type"] == "audio/pcmu" else "alaw", 8000)

    def _check_shape(self, update: Mapping[str, Any]) -> None:
        if self.profile.needs_type and update.get("type") != "realtime":
            raise Rejected("missing_required_parameter", "Missing required parameter: 'session.type'.", "session.type")
        mixed = sorted(self.profile.other_spelling & update.keys())
        if mixed:
            raise Rejected("invalid_value", f"'session.{mixed[0]}' can't be used here.", f"session.{mixed[0]}")
        if update.get("model") not in (None, self.effective["model"]):
            raise Rejected("invalid_value", "The model of a session can't be changed.", "session.model")
        for place in _PARTS:
            part = _found(update, place)
            if part is not None and not isinstance(part, dict):
                path = _path(place)
                raise Rejected("invalid_type", f"Invalid type for '{path}': expected an object.", path)
        for place, known in self.profile.known_fields.items():
            unknown = sorted((_found(update, place) or {}).keys() - known)
            if unknown:
                path = _path((*place, unknown[0]))
                raise Rejected("unknown_parameter", f"Unknown parameter: '{path}'.", path)

    def _check_values(self, update: dict[str, Any]) -> None:
        for name, place in self.profile.places.items():
            parent = _found(update, place[:-1])
            if not isinstance(parent, dict) or place[-1] not in parent:
                continue
            value, path = parent[place[-1]], _path(place)
            match name:
                case "instructions":
                    _need(isinstance(value, str), path, "expected a string")
                case "voice":
                    _need(isinstance(value, str) or _is_custom_voice(value), path, "expected a voice")
                case "tools":
                    check_tools(value, self.profile, path)
                case "modalities":
                    check_modalities(value, self.profile, path)
                case "transcription":
                    _need(value is None or isinstance(value, dict), path, "expected an object or null")
                case "turn_detection":
                    parent[place[-1]] = self._full_turn_detection(value, path)
                case "input_format" | "output_format":
                    self._check_format(name, value, path)

    def _full_turn_detection(self, value: Any, path: str) -> dict[str, Any] | None:
        """The whole of it: what isn't given stays, or is the default of another type."""
        if value is None:
            return None
        _need(isinstance(value, dict), path, "expected an object or null")
        kind = value.get("type", (self.setting("turn_detection") or {}).get("type"))
        if kind not in ("server_vad", "semantic_vad"):
            raise Rejected("invalid_value", f"Invalid value for '{path}.type'.", f"{path}.type")
        for key, is_right in _TURN_DETECTION.items():
            if key in value:
                _need(is_right(value[key]), f"{path}.{key}", "out of range or of another type")
        current = self.setting("turn_detection")
        if current is not None and current["type"] == kind:
            return {**current, **value}
        default = {"eagerness": "auto"} if kind == "semantic_vad" else {}
        if kind == "server_vad":
            default = dict(_found(self.profile.defaults, self.profile.places["turn_detection"]))
        return {"create_response": True, "interrupt_response": True, **default, **value, "type": kind}

    def _check_format(self, name: Literal["input_format", "output_format"], value: Any, path: str) -> None:
        if isinstance(_found(self.profile.defaults, self.profile.places[name]), str):
            _need(isinstance(value, str) and value in _FLAT_FORMATS[name][0], path, "not a format of this provider")
            return
        _need(isinstance(value, dict), path, "expected an object")
        kind, rate = value.get("type"), value.get("rate", 24_000)
        rates = self.profile.input_rates_hz if name == "input_format" else self.profile.output_rates_hz
        if kind == "audio/pcm":
            _need(isinstance(rate, int) and rate in rates, f"{path}.rate", "not a rate of this provider")
        else:
            _need(self.profile.g711 and kind in ("audio/pcmu", "audio/pcma"), f"{path}.type", "not a known format")

    def _apply_freezes(self, update: dict[str, Any], progress: Progress) -> None:
        for name, freeze in self.profile.frozen.items():
            place = self.profile.places[name]
            parent = _found(update, place[:-1])
            if not isinstance(parent, dict) or place[-1] not in parent or parent[place[-1]] == self.setting(name):
                continue
            reached = {
                "first update": progress.updated,
                "caller audio": progress.caller_audio,
                "agent audio": progress.agent_audio,
            }[freeze.since]
            if reached and freeze.attempt == "error":
                message = f"Cannot update a conversation's {name} if assistant audio is present."
                raise Rejected(f"cannot_update_{name}", message, _path(place))
            if reached:
                del parent[place[-1]]


def declared_tools(tools: Any) -> dict[str, Mapping[str, Any]]:
    """Functions of a checked list of tools, by name; a vendor's own tools left out."""
    functions = (tool.get("function", tool) for tool in tools if tool["type"] == "function")
    return {function["name"]: function for function in functions}


def check_tools(tools: Any, profile: RealtimeProfile, path: str) -> None:
    """Raises Rejected for a list that the provider wouldn't take, the other shape of a tool among them."""
    _need(isinstance(tools, list), path, "expected a list")
    for index, tool in enumerate(tools):
        place = f"{path}[{index}]"
        _need(isinstance(tool, dict), place, "expected an object")
        kind = tool.get("type")
        if kind != "function":
            _need(isinstance(kind, str) and kind in profile.vendor_tools, f"{place}.type", "not a known type of tool")
            continue
        function = tool.get("function") if profile.nested_tools else tool
        inner = f"{place}.function" if profile.nested_tools else place
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            raise Rejected(
                "missing_required_parameter", f"Missing required parameter: '{inner}.name'.", f"{inner}.name"
            )
        _need(TOOL_NAME.fullmatch(function["name"]) is not None, f"{inner}.name", "not a name for a tool")
        _need(isinstance(function.get("parameters", {}), dict), f"{inner}.parameters", "expected an object")


def check_modalities(value: Any, profile: RealtimeProfile, path: str) -> None:
    """Raises Rejected for a combination that the provider doesn't answer in."""
    known = isinstance(value, list) and all(one in ("text", "audio") for one in value) and value
    _need(bool(known), path, "expected a list of text or audio")
    _need(profile.both_modalities or len(set(value)) == 1, path, "text and audio can't be asked for together")


def _is_number(value: Any, low: float, high: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high


def _is_whole(value: Any, high: int) -> bool:
    return isinstance(value, int) and _is_number(value, 0, high)


_TURN_DETECTION: Mapping[str, Callable[[Any], bool]] = {
    "threshold": lambda value: _is_number(value, 0, 1),
    "prefix_padding_ms": lambda value: _is_whole(value, 10_000),
    "silence_duration_ms": lambda value: _is_whole(value, 10_000),
    "create_response": lambda value: isinstance(value, bool),
    "interrupt_response": lambda value: isinstance(value, bool),
    "eagerness": lambda value: isinstance(value, str) and value in EAGERNESS_MS,
}


def _is_custom_voice(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("id"), str)


def _need(holds: bool, path: str, problem: str) -> None:
    if not holds:
        raise Rejected("invalid_value", f"Invalid value for '{path}': {problem}.", path)


def _merged(current: Mapping[str, Any], update: Mapping[str, Any], place: Place) -> dict[str, Any]:
    """Only the parts of a session merge; every other value replaces what was there."""

    def values() -> Iterator[tuple[str, Any]]:
        for key, value in update.items():
            inner = (*place, key)
            merges = inner in _PARTS and isinstance(current.get(key), dict) and isinstance(value, dict)
            yield key, _merged(current[key], value, inner) if merges else value

    return {**current, **dict(values())}


def _found(values: Mapping[str, Any], place: Place) -> Any:
    found: Any = values
    for key in place:
        if not isinstance(found, Mapping):
            return None
        found = found.get(key)
    return found


def _path(place: Place) -> str:
    return ".".join(("session", *place))
