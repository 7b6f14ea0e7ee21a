"""JSON Schemas of a pack's files, generated from the models that read them (formats.md)."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from mivas.pack._completion import CompletionFile
from mivas.pack._files import BlueprintFile, CallerFile, PackFile, SolutionFile, ToolsFile
from mivas.pack._prompt_facts import PromptFactsFile
from mivas.pack._scoring import ScoringFile
from mivas.pack._tasks import TaskFile

_MODELS: dict[str, type[BaseModel]] = {
    "pack": PackFile,
    "agent_blueprint": BlueprintFile,
    "tools": ToolsFile,
    "task": TaskFile,
    "solution": SolutionFile,
    "caller": CallerFile,
    "scoring": ScoringFile,
    "completion": CompletionFile,
    "facts": PromptFactsFile,
}


def json_schemas() -> dict[str, dict[str, Any]]:
    """JSON Schema (draft 2020-12) of each file by its name without `.json`.

    `task` allows further keys: a foreign task may carry them, and the loader warns.
    """
    return {name: _schema(name, model) for name, model in _MODELS.items()}


def _schema(name: str, model: type[BaseModel]) -> dict[str, Any]:
    schema = model.model_json_schema(by_alias=True, mode="validation")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"{name}.json"} | {
        key: value for key, value in schema.items() if key != "title"
    }
