"""Where a model is reached over the protocol of OpenAI's chat completions, and what can go wrong on the way.

Shared by everything that asks a model: an agent under test, a caller that has its words from one. The official client
library does the talking; it is imported when first needed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

from mivas.errors import InputError

PROVIDERS_OWN = "https://api.openai.com/v1"
NO_KEY = "none"
"""The client insists on a key; a server of one's own wants none."""
REQUEST_TIMEOUT_S = 60.0
"""Longest silence of an endpoint: whoever waits on the phone has hung up long before."""
CONNECT_TIMEOUT_S = 10.0
RETRIES = 2
"""By the client library, with its back-off: connection errors, 408, 409, 429 and 5xx, before an answer has begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A model's address and the key to it. Written to no file: the key is for the wire only."""

    base_url: str | None = None
    """Such as http://127.0.0.1:8000/v1; None: the provider's own."""
    api_key: str | None = field(default=None, repr=False)

    def check(self, where: str) -> None:
        """Raises InputError for what is missing to use it: a key, an address, the client library.

        Args:
            where: the option that asked for a model, for the complaint.
        """
        if self.base_url is None and not self.api_key:
            raise InputError(
                "no key given", where="OPENAI_API_KEY", mend="set it, or give --base-url for a server of your own"
            )
        if self.api_key and not (self.api_key.isascii() and self.api_key.isprintable()):
            # The client would quote it in its complaint.
            raise InputError(
                "the key holds line breaks or other characters no header takes",
                where="OPENAI_API_KEY",
                mend="set the key alone",
            )
        if find_spec("openai") is None:
            raise InputError(
                "the client library openai is not installed", where=where, mend="pip install 'mivas[chat]'"
            )

    def client_options(self) -> dict[str, Any]:
        """Arguments for the client library's `OpenAI` and `AsyncOpenAI`."""
        from openai import Timeout

        return {
            "api_key": self.api_key or NO_KEY,
            "base_url": self.base_url or PROVIDERS_OWN,
            "timeout": Timeout(REQUEST_TIMEOUT_S, connect=CONNECT_TIMEOUT_S),
            "max_retries": RETRIES,
        }

    def failure(self, error: BaseException) -> EndpointError | None:
        """What an exception of the client library means here; None for one that isn't about the endpoint.

        Raise it `from None`: what a server echoes must not come back in a traceback.
        """
        import openai

        if isinstance(error, EndpointError):
            return error
        if isinstance(error, openai.APITimeoutError):
            return EndpointTooSlow(f"silent for {REQUEST_TIMEOUT_S:g} s, or no connection in {CONNECT_TIMEOUT_S:g} s")
        if isinstance(error, openai.APIConnectionError):
            return EndpointUnreachable(self._told(error.__cause__ or error))
        if isinstance(error, openai.APIStatusError):
            return EndpointRefused(self._told(error))
        if isinstance(error, openai.OpenAIError | json.JSONDecodeError | AttributeError | TypeError):
            return EndpointGarbled(self._told(error))
        return None

    def _told(self, error: BaseException) -> str:
        """An error's text with the key blacked out: servers repeat it."""
        text = str(error) or type(error).__name__
        return text.replace(self.api_key, "<key>") if self.api_key else text


class EndpointError(Exception):
    """The endpoint gave no answer to go on with; the call is void. Its text holds no key."""


class EndpointUnreachable(EndpointError):
    """No connection, or it broke before the answer was whole."""


class EndpointTooSlow(EndpointError):
    """Silent for longer than a request may take."""


class EndpointRefused(EndpointError):
    """An HTTP error that stayed after the client library's retries."""


class EndpointGarbled(EndpointError):
    """An answer outside the protocol."""
