"""`mivas conformance`: the suite for voice adapters."""

from __future__ import annotations

import click

from mivas.errors import InputError


@click.command()
@click.option("--harness", metavar="NAME", help="A harness whose provider's double is part of this project.")
@click.option("--provider", metavar="MODULE:NAME", help="Your own: a Provider, or a function that makes one.")
@click.option("--only", metavar="TEXT", help="Part of the tests' names, such as test_25.")
@click.pass_context
def command(ctx: click.Context, harness: str | None, provider: str | None, only: str | None) -> None:
    """Test a voice adapter from outside, against a double of its provider.

    Greeting, sound both ways, tools, transfers, barge-in, the end of a call, and what fails, lies or attacks. Tests are
    named after docs/failure-modes.md; exit 1 when one fails. XFAIL stands before what an adapter is known to fail, and
    why. How to write a provider: docs/conformance.md.
    """
    if (harness is None) == (provider is None):
        mend = "give --harness NAME or --provider MODULE:NAME"
        raise InputError("needs one adapter", where="mivas conformance", mend=mend)
    try:
        import soxr  # noqa: F401
        import websockets  # noqa: F401

        from mivas.conformance import check_conformance
    except ImportError as error:
        mend = "install pytest and mivas[realtime,voice]"
        raise InputError(f"the package {error.name} is missing", where="mivas conformance", mend=mend) from None
    ctx.exit(0 if check_conformance(harness=harness, provider=provider, only=only) else 1)
