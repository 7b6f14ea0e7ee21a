"""`mivas replay`: does a suite's lock lead to the state it expects? Asks a state service, not an agent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mivas.errors import InputError, StateError

if TYPE_CHECKING:
    import httpx

    from mivas.pack import Pack
    from mivas.probe import Mode, Replay, ReplayTarget


@click.command()
@click.argument("pack_name", metavar="PACK")
@click.option("--tasks", type=click.Path(path_type=Path), help="Another suite than the pack's own.")
@click.option("--mode", type=click.Choice(["completed", "literal"]), default="completed", show_default=True,
              help="completed fills what a lock leaves out; literal sends it as it is.")  # fmt: skip
@click.option("--url", metavar="URL", help="A running state service instead of one in this process.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_context
def command(ctx: click.Context, pack_name: str, tasks: Path | None, mode: str, url: str | None, as_json: bool) -> None:
    """Replay the lock of every task of PACK: exit 0 when each expected state is attained, 1 otherwise."""
    from secrets import token_hex

    from mivas.cli._logging import warn_on_stderr
    from mivas.cli._reference import suite_name
    from mivas.pack import load_pack, load_suite
    from mivas.probe import Replay, replay

    warn_on_stderr()
    pack = load_pack(pack_name)
    suite = load_suite(pack, tasks, suite_name(tasks))
    if tasks is not None and not suite.tasks:
        raise InputError(f"pack {pack_name} brings no tasks", where=str(tasks), mend="give a suite of this pack")
    kind: Mode = "completed" if mode == "completed" else "literal"
    with _target(pack, url) as target:
        # Fresh ids, so that a service which has seen this suite before starts from the seed again.
        played = tuple(replay(pack, suite, target, kind, lambda task_id: _call_id(task_id, token_hex(4))))
    outcome = Replay(pack_id=pack.id, mode=kind, tasks=played)
    _print(outcome, as_json=as_json)
    ctx.exit(0 if outcome.attainable == len(played) else 1)


def _call_id(task_id: str, random: str) -> str:
    """A call id that any state service accepts, whatever the task is called (runtime.md 3.2)."""
    import re

    return f"replay-{re.sub('[^A-Za-z0-9_-]', '-', task_id)[:40]}-{random}"


@contextmanager
def _target(pack: Pack, url: str | None) -> Iterator[ReplayTarget]:
    import os

    import httpx

    from mivas.probe import Stage

    if url is not None:
        token = os.environ.get("MIVAS_OPERATOR_TOKEN")
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            client = httpx.Client(base_url=url, timeout=30, headers=headers)
        except (httpx.InvalidURL, ValueError) as error:
            raise StateError(f"no usable URL ({error})", where=url, mend="give http://host:port") from None
        with client:
            yield _RemoteTarget(client, url)
        return
    with Stage(pack) as stage:
        yield stage


class _RemoteTarget:
    def __init__(self, client: httpx.Client, url: str) -> None:
        self._client = client
        self._url = url

    def post(self, call_id: str, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        answer = self._ask("POST", f"/tools/{name}", call_id, {"arguments": dict(arguments)})
        if set(answer) == {"detail"}:
            raise StateError(f"/tools/{name}: {answer['detail']}", where=self._url, mend="is it this pack's service?")
        return answer

    def state(self, call_id: str) -> Mapping[str, Any]:
        return self._ask("GET", "/state", call_id, None)

    def _ask(self, method: str, path: str, call_id: str, body: object) -> dict[str, Any]:
        import httpx

        try:
            answer = self._client.request(method, path, json=body, headers={"X-Mivas-Call-Id": call_id})
            value = answer.json()
        except httpx.HTTPError as error:
            raise StateError(f"no answer ({error})", where=self._url, mend="start it with `mivas serve`") from None
        except ValueError:
            raise StateError(f"{path} answered no JSON", where=self._url, mend="is this a state service?") from None
        if answer.status_code in (401, 403):
            raise StateError(f"{path} answered {answer.status_code}", where=self._url, mend="set MIVAS_OPERATOR_TOKEN")
        if not isinstance(value, dict) or (method == "GET" and answer.status_code != 200):
            raise StateError(f"{path} answered {answer.status_code}", where=self._url, mend="is this a state service?")
        return value


def _print(outcome: Replay, *, as_json: bool) -> None:
    import json

    from rich.table import Table

    from mivas.cli._tables import plain_console

    rows = [
        {
            "task_id": task.task_id,
            "attainable": task.attainable,
            "diff": _diff(task.database.diff),
            "refused": list(task.refused),
        }
        for task in outcome.tasks
    ]
    head = {"pack": outcome.pack_id, "mode": outcome.mode, "attainable": outcome.attainable, "total": len(rows)}
    if as_json:
        click.echo(json.dumps({**head, "tasks": rows}))
        return
    table = Table(title=f"replay {outcome.pack_id}, {outcome.mode}: {outcome.attainable} of {len(rows)} attained")
    table.add_column("task", no_wrap=True)
    table.add_column("attained")
    table.add_column("refused", justify="right")
    table.add_column("tables that differ", overflow="fold")
    for task in outcome.tasks:
        differing = ", ".join(task.database.diff or ())
        table.add_row(task.task_id, "yes" if task.attainable else "NO", str(len(task.refused)), differing)
    plain_console().print(table)


def _diff(diff: Mapping[str, Any] | None) -> dict[str, Any] | None:
    from dataclasses import asdict

    return {table: asdict(one) for table, one in diff.items()} if diff else None
