"""Which of the caller's facts a sentence names, and whether it names them right."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rapidfuzz import fuzz

from mivas.caller._heard import KnownFact
from mivas.caller._hearing_figures import LIKE, SHORTEST_PART, Named, Shape, named_figures, shape_of
from mivas.caller._hearing_meanings import meaning_of
from mivas.caller._hearing_strange import named_kin
from mivas.caller._hearing_words import word_set
from mivas.caller._spoken_items import Item, items
from mivas.caller._spoken_values import runs

_NEAR_NAME = 70.0
_GENERIC = word_set(
    "the one and for with number office doctor card test case claim visit matter company called about group yes "
    "new name order street avenue year that this have want need been your from there store center centre care home "
    "hospital clinic place which closest"
)
"""Words that name no fact by themselves."""
_DETERMINERS = word_set("the a an your my our his her that this of for in at is it's and to no any")
_CAPITALISED = re.compile(r"\b[A-Z][a-z]+(?:-[A-Z][a-z]+)*")
_CAPITALISED_RUN = re.compile(r"\b[A-Z][a-z]+(?:-[A-Z][a-z]+)*(?: [A-Z][a-z]+(?:-[A-Z][a-z]+)*)+")
_NOT_NAMES = _GENERIC | word_set("mr ms mrs miss dr doctor so okay and thanks sorry right great hello hi is was it's i")
_PLACE = re.compile(
    r"\b(?!Which|What|The|Our|Your|That|This|An?\b)([A-Z][a-z]+(?: [A-Z][a-z]+)*) (?:office|location|clinic|branch)\b"
)
_FILE = re.compile(r"\bthe ([a-z]+) (?:case|claim|matter|file)\b")
_NAMES = word_set("name opposing_party provider medication office carrier")
"""Questions answered by a name, where a word that merely resembles it is a mistake."""
_LOOSE = word_set("reason channel condition consent")
"""Questions answered by an everyday word ("move", "text"), which names the fact only where facts are repeated."""
_STATES = re.compile(
    r"\b(?:alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|"
    r"illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|"
    r"missouri|montana|nebraska|nevada|new (?:hampshire|jersey|mexico|york)|(?:north|south) (?:carolina|dakota)|ohio|"
    r"oklahoma|oregon|pennsylvania|rhode island|tennessee|texas|utah|vermont|(?:west )?virginia|washington|wisconsin|"
    r"wyoming)\b"
)
_KINDS = word_set("service product")
_ACRONYM = re.compile(r"\b[A-Z]{2}\b")
"""Two letters that are meant as such: "OR" is a state, "or" isn't."""
_DOCTOR = re.compile(r"\b(?:Doctor|Dr) ([A-Z][a-z]+)")


def named_facts(sentence: str, facts: Sequence[KnownFact]) -> list[Named]:
    """The facts that a sentence names, right or wrong; a fact at most once, and a wrong naming wins."""
    found = items(sentence)
    by_shape: dict[Shape, list[KnownFact]] = {}
    for fact in facts:
        by_shape.setdefault(shape_of(fact), []).append(fact)
    named, used = named_figures(found, by_shape)
    plain = [fact for fact in facts if shape_of(fact) in ("words", "meaning", "email")]
    named.extend(_spelled([run for _, run in runs(found) if run.isalpha()], plain))
    free = [item for at, item in enumerate(found) if at not in used or item.kind != "word"]
    named.extend(_worded(sentence, free, by_shape.get("words", ())))
    named.extend(
        Named(fact.id, right, sentence.strip(" .?"), is_part=True)
        for fact in by_shape.get("meaning", ())
        if (right := meaning_of(fact, found)) is not None
    )
    return _once([*named, *named_kin(sentence, facts)])


def _once(named: Iterable[Named]) -> list[Named]:
    kept: dict[str, Named] = {}
    for one in named:
        before = kept.get(one.fact)
        if before is None or (before.right and not one.right) or (before.is_part and not one.is_part and one.right):
            kept[one.fact] = one
    return list(kept.values())


def _spelled(letters: Sequence[str], facts: Sequence[KnownFact]) -> list[Named]:
    named = []
    for run in letters:
        best: tuple[float, KnownFact] | None = None
        for fact in facts:
            known = _spellings(fact)
            likeness = max((fuzz.ratio(run, one) / 100 for one in known), default=0.0)
            if best is None or likeness > best[0]:
                best = (likeness, fact)
        if best and len(run) >= SHORTEST_PART and best[0] >= LIKE:
            named.append(Named(best[1].id, best[0] == 1.0, " ".join(run.upper())))
    return named


def _spellings(fact: KnownFact) -> frozenset[str]:
    words = [word for word in re.findall(r"[a-z]+", fact.value.lower()) if len(word) > 2]
    spelled = "".join(re.findall(r"[a-z]", (fact.spell or "").lower()))
    return frozenset([*words, *([spelled] if spelled else []), "".join(words)])


def _worded(sentence: str, found: Sequence[Item], facts: Sequence[KnownFact]) -> list[Named]:
    spoken = [item.value for item in found]
    inside = sentence.partition(" ")[2]
    capitalised = {word.lower() for word in _CAPITALISED.findall(inside)}
    named = []
    for fact in facts:
        known = re.findall(r"[a-z0-9']+", fact.value.lower())
        said = re.findall(r"[a-z0-9']+", fact.say.lower())
        if _contains_value(spoken, known, said, _ACRONYM.findall(sentence)):
            named.append(Named(fact.id, True, " ".join(known), is_part=bool(_LOOSE & set(fact.answers))))
            continue
        wrong = _mistaken(sentence, spoken, capitalised, known, fact)
        if wrong:
            named.append(Named(fact.id, False, wrong))
            continue
        part = _part(spoken, known, said, fact)
        if part:
            named.append(Named(fact.id, True, part, is_part=True))
    return named


def _contains_value(spoken: Sequence[str], known: Sequence[str], said: Sequence[str], acronyms: Sequence[str]) -> bool:
    is_short = len(known) == 1 and len(known[0]) < 3
    if _contains(spoken, known) and (not is_short or known[0].upper() in acronyms):
        return True
    return (len(said) > 1 or is_short) and _contains(spoken, said)


def _contains(spoken: Sequence[str], words: Sequence[str]) -> bool:
    size = len(words)
    return size > 0 and any(list(spoken[at : at + size]) == list(words) for at in range(len(spoken) - size + 1))


def _part(spoken: Sequence[str], known: Sequence[str], said: Sequence[str], fact: KnownFact) -> str | None:
    """A word that stands for the whole: a surname, a firm without its "Group", what distinguishes a treatment."""
    if "name" in fact.answers:
        return known[-1] if len(known) > 1 and known[-1] in spoken else None
    options = [word for word in [*known, *said] if len(word) > 3 and word not in _GENERIC]
    return next((word for word in options if word in spoken), None)


def _mistaken(
    sentence: str, spoken: Sequence[str], capitalised: set[str], known: Sequence[str], fact: KnownFact
) -> str | None:
    for word in known if _NAMES & set(fact.answers) else ():
        if len(word) >= 4 and word not in spoken and word not in _GENERIC:
            near = [one for one in capitalised if _NEAR_NAME <= fuzz.ratio(one, word) < 100 and one not in known]
            if near:
                return near[0]
    if len(known) > 1 and _NAMES & set(fact.answers) and (other := _namesake(sentence, known, fact)):
        return other
    if "office" in fact.answers:
        return next((one for one in _PLACE.findall(sentence) if not set(one.lower().split()) & set(known)), None)
    if "provider" in fact.answers:
        return next((one for one in _DOCTOR.findall(sentence) if one.lower() not in known), None)
    if "state" in fact.answers:
        return next(iter(_STATES.findall(" ".join(spoken))), None)
    if "matter" in fact.answers:
        return next((one for one in _FILE.findall(sentence.lower()) if one not in {*known, *_GENERIC, "other"}), None)
    return _other_kind(spoken, known) if _KINDS & set(fact.answers) else None


def _namesake(sentence: str, known: Sequence[str], fact: KnownFact) -> str | None:
    """Another name that shares a word with this one: "Willow Care Center" where it is the Elm Care Center."""
    for run in _CAPITALISED_RUN.findall(sentence):
        words = run.lower().split()
        others = [word for word in words if word not in known and word not in _NOT_NAMES]
        short = "name" in fact.answers and bool(others) and others[0][:2] == known[0][:2]  # Ally is Alice
        if others and not short and words[-1] in known and known[0] not in words and others[0] != words[-1]:
            return str(run)
    return None


def _other_kind(spoken: Sequence[str], known: Sequence[str]) -> str | None:
    """Another of the same: "the prick test" where it is the patch test."""
    if len(known) < 2 or known[-1] not in spoken or set(known[:-1]) & set(spoken):
        return None
    before = spoken[spoken.index(known[-1]) - 1] if spoken.index(known[-1]) else ""
    return f"{before} {known[-1]}" if before and before not in _DETERMINERS and len(before) > 2 else None
