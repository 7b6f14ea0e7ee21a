"""Where a provider is reached and with what key: from an endpoint, the environment and the provider's own table."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from urllib.parse import quote, urlsplit

from mivas.endpoint import Endpoint
from mivas.errors import InputError
from mivas.harness.realtime._profiles import OPENAI, DialectProfile
from mivas.harness.realtime._session import Address

NO_KEY = "none"
"""Sent to a double on this machine when there is no key: a wire wants one."""
_SCHEMES: Mapping[str, str] = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}


def address_of(name: str, profile: DialectProfile, model: str, endpoint: Endpoint) -> Address:
    """The address of a model and the header with its key.

    Args:
        name: of the harness, for what it is told.
    Raises InputError for a missing key, except where the address is on loopback, and for an address that is none.
    """
    url = _socket_url(endpoint.base_url) if endpoint.base_url is not None else _own_url(name, profile)
    key = endpoint.api_key if profile is OPENAI and endpoint.api_key else _first_set(profile.key_variables)
    if not key and not _is_loopback(url):
        raise InputError("no key given", where=f"harness {name}", mend=f"set {' or '.join(profile.key_variables)}")
    joint = "&" if urlsplit(url).query else "?"
    return Address(url=f"{url}{joint}model={quote(model)}", headers={"Authorization": f"Bearer {key or NO_KEY}"})


def _own_url(name: str, profile: DialectProfile) -> str:
    url = profile.url
    for variable in profile.url_variables:
        value = os.environ.get(variable, "").strip() or profile.url_defaults.get(variable, "")
        if not value:
            raise InputError(f"{variable} isn't set", where=f"harness {name}", mend="set it, or give --base-url")
        url = url.replace(f"{{{variable}}}", value)
    return url


def _first_set(names: tuple[str, ...]) -> str | None:
    return next((value for name in names if (value := os.environ.get(name, "").strip())), None)


def _socket_url(base_url: str) -> str:
    """An address as WebSockets spell it: https becomes wss. Raises InputError."""
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in _SCHEMES and bool(parts.hostname)
    except ValueError:
        usable = False
    if "@" in base_url:  # it would stand in logs and manifests
        mend = "leave user and password out; the key comes from the environment"
        raise InputError("an address with credentials in it", where="--base-url", mend=mend)
    if not usable:
        raise InputError(f"no address: {base_url}", where="--base-url", mend="give one such as wss://host/v1/realtime")
    return parts._replace(scheme=_SCHEMES[parts.scheme]).geturl()


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
