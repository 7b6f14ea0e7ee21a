"""Do a pack's prompts say what its graph, its catalogue and its policy say? Source: docs/prompts.md.

Reads text only: whether a sentence is wise is for people.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mivas.pack._blueprint import Node
from mivas.pack._clock import clock_line
from mivas.pack._finding import Finding
from mivas.pack._input_schema import argument_keys, enum_values
from mivas.pack._pack import Pack
from mivas.pack._prompt_facts import FACTS, PromptFactsFile, read_prompt_facts
from mivas.pack._prompt_numbers import BASE_UNITS, numbers

_CODE = re.compile(r"`([^`\n]+)`")
_LIST_MARKER = re.compile(r"^\s*\d+\.\s", re.MULTILINE)
_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DAY = (
    r"(?:\d{1,2}(?:st|nd|rd|th)?|(?:twenty-|thirty-)?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)"
    r"|tenth|eleventh|twelfth|\w+teenth|twentieth|thirtieth|twenty|thirty)"
)
_DATE = re.compile(
    rf"\b\d{{4}}-\d{{2}}-\d{{2}}\b|\b{_MONTH} (?:the )?{_DAY}\b|\b{_DAY} (?:of )?{_MONTH}\b"
    r"|\b(?:[Tt]oday|[Tt]omorrow|[Tt]oday's date|[Tt]he current date) is\b"
)
_GREETING = re.compile(r"\bthank(?:s| you) for (?:calling|your call)\b|\bhow (?:can|may) i help\b|\bwelcome to\b")
_SHORTEST_GREETING = 3
_MONEY = frozenset({"dollar", "percent"})
_LITERALS = frozenset({"true", "false", "null"})


def prompt_findings(pack: Pack) -> list[Finding]:
    """Every place where a node's prompt and the pack's facts disagree, and every fact that no prompt uses.

    Raises PackError when `prompts/facts.json` can't be read.
    """
    facts = read_prompt_facts(pack.folder)
    prompts = [_Prompt(pack=pack, node=node, facts=facts) for node in pack.blueprint.nodes]
    findings = [finding for prompt in prompts for finding in prompt.findings()]
    return findings + list(_stale(pack, facts, prompts))


@dataclass(frozen=True, kw_only=True)
class _Prompt:
    """The prompt of one node beside what that node is able to do."""

    pack: Pack
    node: Node
    facts: PromptFactsFile

    @cached_property
    def text(self) -> str:
        """Without the clock line, which is the runtime's."""
        said, clock = self.node.instructions.strip(), self.pack.clock
        return said if clock is None else said.removesuffix(clock_line(clock))

    @cached_property
    def prose(self) -> str:
        """Without examples, code, dates and list markers."""
        said = _CODE.sub(" code ", _without(self.text, self.facts.examples))
        return _LIST_MARKER.sub("", _DATE.sub(" date ", said))

    @cached_property
    def code(self) -> frozenset[str]:
        return frozenset(_CODE.findall(self.text))

    @cached_property
    def tools(self) -> frozenset[str]:
        return frozenset(tool.name for tool in self.node.tools)

    @cached_property
    def arguments(self) -> frozenset[str]:
        return frozenset(name for schema in self._schemas() for name in argument_keys(schema))

    @cached_property
    def values(self) -> frozenset[str]:
        return frozenset(value for schema in self._schemas() for value in enum_values(schema))

    def _schemas(self) -> Iterator[Mapping[str, Any]]:
        return (self.pack.tool_schemas[name] for name in sorted(self.tools) if name in self.pack.tool_schemas)

    @cached_property
    def answers(self) -> frozenset[str]:
        """What this node's own tools may return."""
        return frozenset(name for tool in self.tools for name in self.facts.answers.get(tool, ()))

    def findings(self) -> Iterator[Finding]:
        for what, mend in (
            *self._left_out(),
            *self._foreign_tools(),
            *self._unknown_names(),
            *self._wrong_numbers(),
            *self._dates(),
            *self._greetings(),
        ):
            yield Finding(where=f"prompt of {self.node.id}", what=what, mend=mend)

    def _left_out(self) -> Iterator[tuple[str, str]]:
        unsaid = frozenset(self.facts.unsaid.get(self.node.id, ()))
        named = {"tool": self.tools, "argument": self.arguments, "value": self.values, "answer": self.answers}
        for kind, names in named.items():
            for name in sorted(names - self.code - unsaid):
                yield f"says nothing about {kind} `{name}`", f"tell when it is used, or list it in {FACTS} unsaid"

    def _foreign_tools(self) -> Iterator[tuple[str, str]]:
        for name in sorted(set(self.pack.tools) - self.tools):
            if _mentions(self.text, name) if "_" in name else name in self.code:
                yield f"names tool `{name}`, which this node lacks", "leave it out"

    def _unknown_names(self) -> Iterator[tuple[str, str]]:
        returned = {name for names in self.facts.answers.values() for name in names}
        known = self.arguments | self.values | returned | _LITERALS | set(self.pack.tools)
        for name in sorted(self.code - known - set(self.facts.examples)):
            yield f"names `{name}`, which no tool of this node takes or returns", "correct the name"

    def _wrong_numbers(self) -> Iterator[tuple[str, str]]:
        declared = {(float(figure.value), figure.unit) for figure in self.facts.figures}
        for number in numbers(self.prose, _units(self.facts)):
            if (number.value, number.unit) not in declared:
                yield f"says '{number}', which no policy says", f"correct it, or declare it in {FACTS} figures"
        for example in self.facts.examples:
            for number in numbers(example if example in self.text else "", _MONEY):
                if number.unit is not None and (number.value, number.unit) not in declared:
                    yield f"says '{number}' in an example, which no policy says", "correct the example"

    def _dates(self) -> Iterator[tuple[str, str]]:
        for date in sorted(set(_DATE.findall(_without(self.text, self.facts.examples)))):
            yield f"has a date of its own ({date!r})", "the clock of pack.json is the only date"

    def _greetings(self) -> Iterator[tuple[str, str]]:
        greeting = self.pack.blueprint.greeting
        if greeting is None and self.node == self.pack.blueprint.entry:
            return  # this node opens the call by itself
        said = _plain(self.text)
        for sentence in re.split(r"(?<=[.!?])\s", greeting or ""):
            words = _plain(sentence)
            if len(words.split()) >= _SHORTEST_GREETING and words in said:
                yield f"repeats the greeting ({sentence!r})", "leave it to the blueprint"
        for formula in sorted(set(_GREETING.findall(said))):
            yield f"greets again ({formula!r})", "leave it to whoever opens the call"


def _stale(pack: Pack, facts: PromptFactsFile, prompts: Sequence[_Prompt]) -> Iterator[Finding]:
    """What `prompts/facts.json` declares and nothing uses."""
    for what in (
        *_unused_figures(facts, prompts),
        *(f"example {text!r}" for text in facts.examples if not any(text in prompt.text for prompt in prompts)),
        *(f"answers of {name}, no tool of the pack" for name in facts.answers if name not in pack.tools),
        *(f"unsaid of {name}, no node of the pack" for name in facts.unsaid if name not in pack.blueprint.by_id),
        *(
            f"unsaid {name} of {prompt.node.id}, whose prompt says it"
            for prompt in prompts
            for name in facts.unsaid.get(prompt.node.id, ())
            if name in prompt.code
        ),
    ):
        yield Finding(where=FACTS, what=f"declares {what}", mend="delete it")


def _unused_figures(facts: PromptFactsFile, prompts: Sequence[_Prompt]) -> Iterator[str]:
    units = _units(facts)
    texts = (*(prompt.prose for prompt in prompts), *facts.examples)
    used = {(number.value, number.unit) for text in texts for number in numbers(text, units)}
    for figure in facts.figures:
        if (float(figure.value), figure.unit) not in used:
            yield f"figure {figure.value:g}{'' if figure.unit is None else ' ' + figure.unit}, which no prompt says"


def _units(facts: PromptFactsFile) -> frozenset[str]:
    return BASE_UNITS | {figure.unit for figure in facts.figures if figure.unit is not None}


def _without(text: str, passages: Iterable[str]) -> str:
    for passage in sorted(passages, key=len, reverse=True):
        text = text.replace(passage, " example ")
    return text


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", text) is not None


def _plain(text: str) -> str:
    """Lower-cased words, one space between."""
    return " ".join(re.findall(r"[a-z0-9']+", text.lower()))
