"""Where a model is reached, and what can go wrong on the way."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A model's address and the key to it. Written to no file: the key is for the wire only."""

    base_url: str | None = None
    """Such as http://127.0.0.1:8000/v1; None: the provider's own."""
    api_key: str | None = field(default=None, repr=False)

    def without_key(self, text: str) -> str:
        """The text with the key blacked out: servers repeat it in their errors."""
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
