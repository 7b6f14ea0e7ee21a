"""What can be told of the installed harnesses without calling them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from mivas.report.site import HarnessCard

REALISATIONS = {
    "swap": "swap: new instructions and tools on the open session at each transfer",
    "reconnect": "reconnect: a session for each desk, given the conversation so far",
}


def harness_cards(used: Iterable[str]) -> list[HarnessCard]:
    """A card for each harness that a run names or that is installed; one that can't be built here has none."""
    from mivas.harness import known_harnesses, load_harness

    cards = []
    for name in dict.fromkeys([*sorted(set(used)), *known_harnesses()]):
        try:
            harness = load_harness(name)
        except (Exception, SystemExit):  # noqa: S112 - foreign code may raise anything, and doctor names it
            continue
        cards.append(_card(name, harness))
    return cards


def _card(name: str, harness: Any) -> HarnessCard:
    from dataclasses import asdict

    from mivas.report.site import HarnessCard

    return HarnessCard(
        name=name,
        revision=str(harness.revision),
        capabilities=asdict(harness.capabilities),
        details=dict(_details(name, harness)),
    )


def _details(name: str, harness: Any) -> Iterator[tuple[str, str]]:
    capabilities, profile = harness.capabilities, getattr(harness, "profile", None)
    handoff = getattr(harness, "handoff", None)
    yield "reached by", _transport(capabilities, profile)
    yield "graph", REALISATIONS.get(str(handoff), str(handoff)) if handoff else _own_graph(capabilities)
    yield "history", _history(capabilities, handoff)
    yield "added to the prompt", "unknown: its agents run elsewhere" if capabilities.works_elsewhere else "nothing"
    limit_ms = getattr(profile, "limit_ms", None)
    yield "session ends after", f"{limit_ms // 60_000} min" if isinstance(limit_ms, int) else "no limit of its own"
    yield "certificate", _certificate(name, harness)


def _transport(capabilities: Any, profile: Any) -> str:
    if profile is not None and isinstance(getattr(profile, "url", None), str):
        rates = f"{profile.input_hz // 1000} kHz in, {profile.output_hz // 1000} kHz out"
        return f"WebSocket to {urlsplit(profile.url).hostname or profile.url}, {rates}"
    if capabilities.works_elsewhere:
        return "a WebSocket address of your own"
    return "an HTTP endpoint of your choice" if capabilities.takes_endpoint else "nothing: it runs in this process"


def _own_graph(capabilities: Any) -> str:
    if capabilities.works_elsewhere:
        return "realised elsewhere; transfers are reported"
    return "the graph runtime: prompt and tools of the active desk at each turn"


def _history(capabilities: Any, handoff: object) -> str:
    if handoff == "swap":
        return "kept by the session through all desks"
    if capabilities.takes_endpoint:
        return "kept through all desks, sent with each turn"
    return "unknown" if capabilities.works_elsewhere else "its own"


def _certificate(name: str, harness: Any) -> str:
    from mivas.run import certificates_folder, certificates_of, needs_certificate

    if harness.capabilities.knows_answers:
        return "none: it is shown the answers"
    if found := certificates_of(harness, name, certificates_folder()):
        return "; ".join(
            f"{one.issued_utc[:10]}, {one.mode}, {one.pack} {one.pack_version}"
            + (f", at {one.base_url}" if one.base_url is not None else "")
            for one in found
        )
    return "none yet: mivas qualify" if needs_certificate(harness) else "not needed: tested with the project"
