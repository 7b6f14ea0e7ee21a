"""A fuzzer that knows only the OpenAPI document finds nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode

from mivas.pack import load_pack
from mivas.state import ServiceOptions, ToolsUrls, create_app, load_snapshot_store, open_on_folder
from mivas.state._openapi import DOCS


@pytest.fixture(scope="module", params=[("control-industry", True), ("healthcare", False)], ids=["shared", "by id"])
def app(request: pytest.FixtureRequest) -> Iterator[FastAPI]:
    pack, shared = request.param
    with TemporaryDirectory() as name:
        folder = Path(name)
        service = open_on_folder(load_pack(pack), folder)
        tools_urls = ToolsUrls(lambda: 0.0)
        app = create_app(
            service,
            ServiceOptions(shared=shared),
            snapshots=load_snapshot_store("local")(folder),
            tools_urls=tools_urls,
        )
        app.state.token = tools_urls.open_tools_url("remote").removeprefix("/calls/")
        yield app
        service.close()


ROUTES = [(method, path.replace(":path", "")) for method, path in DOCS]


@pytest.mark.parametrize("mode", list(GenerationMode))
@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_every_answer_is_as_documented(app: FastAPI, method: str, path: str, mode: GenerationMode) -> None:
    operation = schemathesis.openapi.from_asgi("/openapi.json", app)[path][method]
    if mode is GenerationMode.NEGATIVE and path in {"/health", "/bind/{provider_call_id}"}:
        pytest.skip("takes nothing that could be wrong")

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(max_examples=25, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    def fuzz(case: schemathesis.Case) -> None:
        if "token" in case.path_parameters:
            case.path_parameters["token"] = app.state.token  # a guessed one gets no further than 404
        case.call_and_validate()

    fuzz()
