"""A world in motion: tool handlers over one private SQLite database per call, and the HTTP service around them.

Knows no pack by name, no agent graph and no score: an acting node is a word in its log.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from mivas.state._call import Call
from mivas.state._catalogue import catalogue_text, load_toolset
from mivas.state._handlers import Arguments, Refusal, Tool, Toolset, Unreadable, advertised, tool
from mivas.state._log import LoggedCall
from mivas.state._log_file import read_log
from mivas.state._options import ServiceOptions, is_loopback
from mivas.state._service import Answer, StateService, machine_now, open_service
from mivas.state._store import CallStore, RunFolder, ServiceFolder, clean_call_id

if TYPE_CHECKING:
    from mivas.state._app import create_app
    from mivas.state._server import listen_on, only_server_of, open_on_folder, running_service, serve
    from mivas.state._snapshots import SnapshotStore, load_snapshot_store, local_snapshots
    from mivas.state._tools_server import Posted, ToolsServer, serving_tools
    from mivas.state._tools_urls import Report, ReportedCall, ToolsUrls

__all__ = [
    "Answer",
    "Arguments",
    "Call",
    "CallStore",
    "LoggedCall",
    "Posted",
    "Refusal",
    "Report",
    "ReportedCall",
    "RunFolder",
    "ServiceFolder",
    "ServiceOptions",
    "SnapshotStore",
    "StateService",
    "Tool",
    "ToolsServer",
    "ToolsUrls",
    "Toolset",
    "Unreadable",
    "advertised",
    "catalogue_text",
    "clean_call_id",
    "create_app",
    "is_loopback",
    "listen_on",
    "load_snapshot_store",
    "load_toolset",
    "local_snapshots",
    "machine_now",
    "only_server_of",
    "open_on_folder",
    "open_service",
    "read_log",
    "running_service",
    "serve",
    "serving_tools",
    "tool",
]

# The web framework takes a second to import, and a pack's handlers, which import this door, don't need it.
_WEB = {
    "Posted": "_tools_server",
    "Report": "_tools_urls",
    "ReportedCall": "_tools_urls",
    "SnapshotStore": "_snapshots",
    "ToolsServer": "_tools_server",
    "ToolsUrls": "_tools_urls",
    "create_app": "_app",
    "listen_on": "_server",
    "load_snapshot_store": "_snapshots",
    "local_snapshots": "_snapshots",
    "only_server_of": "_server",
    "open_on_folder": "_server",
    "running_service": "_server",
    "serve": "_server",
    "serving_tools": "_tools_server",
}


def __getattr__(name: str) -> Any:
    if name not in _WEB:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WEB[name]}"), name)
