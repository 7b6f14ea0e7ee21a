"""How the server meets the world, and whom it admits."""

from __future__ import annotations

from dataclasses import dataclass, field
from hmac import compare_digest

from mivas.errors import InputError
from mivas.harness import Scope
from mivas.state import is_loopback


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """User and password of Basic auth. Shown and logged nowhere."""

    user: str = field(repr=False)
    password: str = field(repr=False)

    def admit(self, user: str, password: str) -> bool:
        """Whether these are the ones, compared in constant time."""
        # Both comparisons run whatever the first one says.
        return compare_digest(user.encode(), self.user.encode()) & compare_digest(
            password.encode(), self.password.encode()
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerOptions:
    """Raises InputError for a server off loopback that would admit everybody."""

    host: str = "127.0.0.1"
    port: int = 8765
    """0 takes a free one."""
    credentials: Credentials | None = None
    """None: everybody on this machine may call."""
    most_calls: int = 4
    """Calls at once; one more is refused with 503 (runtime.md 19)."""
    longest_call_s: float = 900.0
    """The caller engine caps its calls far earlier; this frees what a peer forgot."""
    scope: Scope = "enforce"

    def __post_init__(self) -> None:
        if self.credentials is None and not is_loopback(self.host):
            raise InputError(
                "anybody could call", where=f"listening on {self.host}", mend="set CHIRP_USER and CHIRP_PASS"
            )
