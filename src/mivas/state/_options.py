"""How the service meets the world, and whom it trusts there."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address

from mivas.errors import StateError


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceOptions:
    """How the service meets the world. Raises StateError for a service off loopback without an operator token."""

    host: str = "127.0.0.1"
    """Address it listens on. Off loopback, the operator's routes ask for the token."""
    shared: bool = False
    """Requests without a call id use one shared debug database instead of failing with 400."""
    operator_token: str | None = None
    """Guards `/state`, `/snapshot` and `/bind` off loopback; not asked for on loopback."""
    threads: int = 1
    """Threads for SQLite; a call always uses the same one. Each further one costs about a sixth more CPU a request,
    because they fight for the interpreter lock, and pays only where the disk stalls."""

    def __post_init__(self) -> None:
        if not self.operator_token and not is_loopback(self.host):
            raise StateError(
                "anybody could read and overwrite the evidence of a call",
                where=f"listening on {self.host}",
                mend="set MIVAS_OPERATOR_TOKEN, or listen on 127.0.0.1",
            )

    @property
    def token_to_ask(self) -> str | None:
        """The operator token that requests must carry, or None on loopback."""
        return None if is_loopback(self.host) else self.operator_token


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a listener on `host`. A name other than localhost counts as reachable."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
