"""Markdown of a pack as HTML: no HTML of its own, no picture, no link that leads out of the folder it came from."""

from __future__ import annotations

from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

_HEADING_SHIFT = 1


@cache
def _reader() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def markdown(text: str) -> Markup:
    """HTML of a page, its first heading left out (the site has its own) and the others one step lower."""
    reader = _reader()
    tokens = reader.parse(text)
    if tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        del tokens[:3]
    tokens = [piece for token in tokens for piece in _within_reach(token)]
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + _HEADING_SHIFT)}"
        if token.children:
            token.children = [child for child in token.children if not _leads_out(child)]
    return Markup(reader.renderer.render(tokens, reader.options, {}))  # noqa: S704 - the reader escapes all HTML


def _within_reach(token: Token) -> tuple[Token, ...]:
    """A wide table scrolls in a region of its own, which the keyboard can reach."""
    if token.type == "table_open":
        return (_html('<div class="scroll" tabindex="0" role="region" aria-label="Table">\n'), token)
    return (token, _html("</div>\n")) if token.type == "table_close" else (token,)


def _html(text: str) -> Token:
    return Token("html_block", "", 0, content=text)


def _leads_out(token: Token) -> bool:
    """Pictures and links of a page name files beside it, which the site doesn't have; their words stay."""
    return token.type in ("image", "link_open", "link_close")
