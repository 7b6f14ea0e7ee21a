"""A world as data: blueprint, prompts, tool catalogue, tasks, scoring rules and the equality kinds they name.

Reads and checks files; runs no tool, answers no call and scores nothing.
"""

from mivas.pack._blueprint import END_CALL, Blueprint, Edge, Node, NodeTool, ToolKind
from mivas.pack._database import memory_database
from mivas.pack._drawing import draw_png, mermaid
from mivas.pack._files import CallerFile, HeardFile, SolutionFile
from mivas.pack._finding import Finding
from mivas.pack._lint import lint
from mivas.pack._loader import known_packs, load_pack, pack_folder
from mivas.pack._pack import CatalogueTool, Envelope, Pack
from mivas.pack._prompt_facts import PromptFactsFile, read_prompt_facts
from mivas.pack._prompts import generated_prompts, write_prompts
from mivas.pack._schemas import json_schemas
from mivas.pack._scoring import Scoring
from mivas.pack._tasks import ExpectedCall, Suite, Task, load_suite
from mivas.pack._writes import expected_writes

__all__ = [
    "END_CALL",
    "Blueprint",
    "CallerFile",
    "CatalogueTool",
    "Edge",
    "Envelope",
    "ExpectedCall",
    "Finding",
    "HeardFile",
    "Node",
    "NodeTool",
    "Pack",
    "PromptFactsFile",
    "Scoring",
    "SolutionFile",
    "Suite",
    "Task",
    "ToolKind",
    "draw_png",
    "expected_writes",
    "generated_prompts",
    "json_schemas",
    "known_packs",
    "lint",
    "load_pack",
    "load_suite",
    "memory_database",
    "mermaid",
    "pack_folder",
    "read_prompt_facts",
    "write_prompts",
]
