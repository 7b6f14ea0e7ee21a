"""Finds packs by entry point or path and reads their files."""

from __future__ import annotations

from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from mivas.errors import PackError, UnknownName
from mivas.pack._blueprint import END_CALL, Blueprint, Node, NodeTool
from mivas.pack._clock import clock_line, parse_clock
from mivas.pack._completion import NOTHING, CompletionFile
from mivas.pack._files import AgentFile, BlueprintFile, PackFile, ToolEntryFile, ToolsFile
from mivas.pack._pack import CatalogueTool, Envelope, Pack, refresh_command
from mivas.pack._prompts import GENERATED, SOURCES
from mivas.pack._reading import read_model, read_text
from mivas.pack._scoring import read_scoring
from mivas.plug_ins import known_plug_ins

ENTRY_POINT_GROUP = "mivas.packs"


def known_packs() -> tuple[str, ...]:
    """Names of the installed packs, sorted. Imports none of them."""
    return known_plug_ins(ENTRY_POINT_GROUP)


def load_pack(name_or_path: str) -> Pack:
    """Read a pack by its name or by the path of its folder.

    Raises:
        UnknownName: neither an installed pack nor a folder with a `pack.json`.
        PackError: a file of the pack is missing or wrong.
    """
    return _read_pack(*_found(name_or_path))


def pack_folder(name_or_path: str) -> Path:
    """Folder of a pack by its name or path, its files unread. Raises UnknownName, or PackError as `load_pack` does."""
    return _found(name_or_path)[0]


def _found(name_or_path: str) -> tuple[Path, str | None]:
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        if entry.name == name_or_path:
            return _module_folder(entry.name, entry.value), entry.value
    folder = Path(name_or_path)
    if (folder / "pack.json").is_file():
        return folder.resolve(), None
    raise UnknownName(
        f"no pack {name_or_path!r}",
        where="PACK",
        mend=f"choose from {', '.join(known_packs())}, or give the path of a folder with a pack.json",
    )


def _module_folder(name: str, module: str) -> Path:
    try:
        spec = find_spec(module)
    except (Exception, SystemExit) as error:
        # Looking for a.b imports a, which is foreign code: whatever it raises is told as that distribution's defect.
        raise PackError(
            f"module {module} isn't importable ({type(error).__name__}: {error})",
            where=f"pack {name}",
            mend="reinstall its distribution",
        ) from error
    if spec is None or not spec.submodule_search_locations:
        raise PackError(f"module {module} isn't importable", where=f"pack {name}", mend="reinstall its distribution")
    return Path(next(iter(spec.submodule_search_locations)))


def _read_pack(folder: Path, module: str | None) -> Pack:
    file = read_model(PackFile, folder / "pack.json")
    clock = parse_clock(file.clock) if file.clock is not None else None
    refresh = refresh_command(folder, module, file.id)
    _check_generated(folder / "tools.json", folder / "tools.py", refresh)
    catalogue = read_model(ToolsFile, folder / "tools.json")
    blueprint = read_model(BlueprintFile, folder / "agent_blueprint.json")
    _check_targets(blueprint, folder / "agent_blueprint.json")
    suffix = f"\n\n{clock_line(clock)}\n" if clock is not None else ""
    return Pack(
        id=file.id,
        title=file.title,
        version=file.pack_version,
        clock=clock,
        envelope=Envelope(**file.envelope.model_dump()),
        human_tools=frozenset(file.human_tools),
        hidden_tables=frozenset(file.hidden_tables),
        suite=file.suite,
        canary=file.canary,
        folder=folder,
        module=module,
        blueprint=Blueprint(
            greeting=blueprint.greeting,
            nodes=tuple(_node(agent, folder, suffix, refresh) for agent in blueprint.agents),
        ),
        tools={
            tool.name: CatalogueTool(
                name=tool.name,
                description=tool.description,
                input_schema=tool.input_schema,
                output_schema=tool.output_schema,
            )
            for tool in catalogue.tools
        },
        scoring=read_scoring(folder / "scoring.json"),
        schema_sql=read_text(folder / "db" / "schema.sql"),
        seed_sql=read_text(folder / "db" / "seed.sql"),
        completion=_completion(folder / "completion.json"),
    )


def _completion(path: Path) -> CompletionFile:
    """A pack that completes nothing needs no file."""
    return read_model(CompletionFile, path) if path.exists() else NOTHING


def _check_targets(blueprint: BlueprintFile, path: Path) -> None:
    names = [agent.name for agent in blueprint.agents]
    for name in names:
        if names.count(name) > 1:
            raise PackError(f"agent {name!r} stands twice", where=str(path), mend="give each agent its own name")
    for agent in blueprint.agents:
        for tool in agent.tools:
            if tool.handoff_to is not None and tool.handoff_to not in names:
                raise PackError(
                    f"{agent.name}.{tool.name} hands off to unknown agent {tool.handoff_to!r}",
                    where=str(path),
                    mend=f"choose from {', '.join(names)}",
                )


def _check_generated(path: Path, source: Path, refresh: str) -> None:
    if not path.exists() and source.is_file():
        raise PackError("file is missing", where=str(path), mend=f"run `{refresh}`")


def _node(agent: AgentFile, folder: Path, suffix: str, refresh: str) -> Node:
    relative = PurePosixPath(agent.system_prompt)
    if relative.is_absolute() or ".." in relative.parts:
        raise PackError(
            f"system_prompt {agent.system_prompt!r} of {agent.name} leaves the pack's folder",
            where=str(folder / "agent_blueprint.json"),
            mend=f"name a file below {GENERATED}/",
        )
    if relative.parent.name == GENERATED:
        _check_generated(folder / relative, folder / SOURCES / relative.name, refresh)
    prompt = read_text(folder / relative)
    return Node(
        id=agent.name,
        instructions=prompt.rstrip("\n") + suffix if suffix else prompt,
        tools=tuple(_node_tool(tool) for tool in agent.tools),
    )


def _node_tool(tool: ToolEntryFile) -> NodeTool:
    if tool.handoff:
        return NodeTool(name=tool.name, kind="handoff", handoff_to=tool.handoff_to)
    if not tool.session:
        return NodeTool(name=tool.name, kind="industry")
    return NodeTool(name=tool.name, kind="end_call" if tool.name == END_CALL else "human")
