"""Addresses of providers: what is refused is not repeated where it may hold a secret."""

from __future__ import annotations

import pytest

from mivas.errors import InputError
from mivas.harness.realtime._address import _socket_url


@pytest.mark.parametrize("url", ["wss://user:hush@host/v1", "foo://user:hush@host", "https://hush@host"])
def test_credentials_in_an_address_are_refused_and_not_shown(url: str) -> None:
    with pytest.raises(InputError) as refused:
        _socket_url(url)
    assert "hush" not in str(refused.value)


@pytest.mark.parametrize(("url", "socket_url"), [("https://host/v1", "wss://host/v1"), ("ws://h:1/", "ws://h:1/")])
def test_an_address_as_websockets_spell_it(url: str, socket_url: str) -> None:
    assert _socket_url(url) == socket_url


@pytest.mark.parametrize("url", ["host", "ftp://host", "wss://", "wss://[::1"])
def test_what_is_no_address_is_told(url: str) -> None:
    with pytest.raises(InputError, match="no address"):
        _socket_url(url)
