"""The agents of docs/chirp.md take a whole call and pass."""

from __future__ import annotations

import asyncio
import re
import socket
from pathlib import Path
from typing import Any

import numpy as np
import pytest

PAGE = Path(__file__).parents[3] / "docs" / "chirp.md"


@pytest.fixture
def page() -> dict[str, Any]:
    """What the page's agents in plain Python are, with a voice."""
    from mivas.speech import load_voice

    voice = load_voice("hibari:agent")
    names: dict[str, Any] = {"speech": lambda text: np.asarray(voice.speak(text, 0), dtype="<i2").tobytes()}
    for block in re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)[:2]:
        exec(block, names)
    return names


async def nothing(_visit: Any) -> None: ...


def test_the_agent_in_websockets_passes(dial: Any, page: dict[str, Any]) -> None:
    call = dial(nothing, listen=lambda: page["serve"](page["answer"], "127.0.0.1", 0))
    assert call.verdict["mark"] == "pass", call.verdict["reasons"]
    assert call.gates == (True, True, True)


def test_the_agent_in_fastapi_passes(dial: Any, page: dict[str, Any]) -> None:
    import uvicorn

    class Listening:
        """A server of the page's application on the running loop."""

        def __init__(self) -> None:
            self.sockets = [socket.create_server(("127.0.0.1", 0))]
            config = uvicorn.Config(page["app"], log_config=None, lifespan="off", timeout_graceful_shutdown=1)
            self._server = uvicorn.Server(config)
            self._serving = asyncio.create_task(self._server._serve(self.sockets))

        def close(self) -> None:
            """Stop taking calls; the one that is over still reports."""
            self.sockets[0].close()

    async def listen() -> Listening:
        listening = Listening()
        await asyncio.sleep(0.5)
        return listening

    call = dial(nothing, listen=listen)
    assert call.verdict["mark"] == "pass", call.verdict["reasons"]
    assert call.gates == (True, True, True)
