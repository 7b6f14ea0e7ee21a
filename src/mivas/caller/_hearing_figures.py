"""Dates, times, figures, sums and addresses in a sentence, held against the caller's facts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Literal, TypeAlias

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from mivas.caller._heard import KnownFact
from mivas.caller._hearing_words import word_set
from mivas.caller._spoken_items import Item, items
from mivas.caller._spoken_values import Day, Span, days, emails, figure_days, runs, times, written_day

Shape: TypeAlias = Literal["day", "time", "digits", "code", "money", "email", "meaning", "words"]
ByShape: TypeAlias = Mapping[Shape, Sequence[KnownFact]]

SHORTEST_PART = 3
"""Figures that make a part of a number ("ending one four two"); two do after "ending"."""
LIKE = 0.5
"""From this likeness on, a wrong value is taken for an attempt at a fact."""
_CUES: dict[str, frozenset[str]] = {
    "date_of_birth": word_set("born birth birthday birthdate dob"),
    "incident_date": word_set("accident incident happened hurt injured fired injury crash fall fell"),
    "date": word_set("visit appointment booked monday tuesday wednesday thursday friday saturday sunday"),
    "phone": word_set("phone mobile cell call reach ring telephone"),
    "callback": word_set("phone mobile cell call reach ring telephone"),
    "zip": word_set("zip postal"),
    "card_last4": word_set("card"),
    "order_number": word_set("order"),
    "member_id": word_set("member id subscriber membership"),
    "amount": word_set("charge charged amount dollars cents flat refund bill"),
}
"""Question id -> words that say which fact a figure is meant for."""


_CLOCK_WORDS = word_set("am pm o'clock oclock morning afternoon evening at")
"""Words beside two figures that make them a time of day."""
_COST_WORDS = word_set(
    "cost costs fee fees charge charges deposit refundable nonrefundable price prices rate rates bucks consultation"
)
"""In a sentence with one of them two figures may be a sum ("two fifty"), and are no attempt at a time."""


@dataclass(frozen=True, slots=True)
class Named:
    """A fact that a sentence names, or tries to."""

    fact: str
    right: bool
    said: str
    is_part: bool = False
    """A word or a figure of it only; enough in a read-back, too little elsewhere."""


@lru_cache(maxsize=512)
def shape_of(fact: KnownFact) -> Shape:
    """What kind of value a fact holds, by its form."""
    value = fact.value.strip().lower()
    if written_day(value):
        return "day"
    if re.fullmatch(r"\d{1,2}:\d{2}", value):
        return "time"
    if "amount" in fact.answers or re.fullmatch(r"\$[\d.,]+", value):
        return "money"
    if re.fullmatch(r"\+?[\d() .-]+", value):
        return "digits"
    if "@" in value:
        return "email"
    if re.fullmatch(r"[a-z]*-?[0-9][a-z0-9-]*", value) and any(c.isalpha() for c in value):
        return "code"
    return "meaning" if value in ("yes", "no", "new", "existing", "self") else "words"


def named_figures(found: Sequence[Item], by_shape: ByShape) -> tuple[list[Named], frozenset[int]]:
    """Facts named by addresses, dates, times, sums and numbers, and the items that these took."""
    used: set[int] = set()
    named = [
        one
        for read in (_named_emails, _named_days, _named_times, _named_numbers)
        for one in read(found, by_shape, used)
    ]
    return named, frozenset(used)


def _named_emails(found: Sequence[Item], by_shape: ByShape, used: set[int]) -> list[Named]:
    named = []
    for span, address in emails(found):
        used.update(range(span.start, span.end))
        for fact in by_shape.get("email", ()):
            name, _, domain = fact.value.lower().partition("@")
            said_name, _, said_domain = address.partition("@")
            right = said_domain == domain and said_name.replace(".", "").endswith(name.replace(".", ""))
            near = said_domain == domain or fuzz.ratio(said_name, name) / 100 >= LIKE
            if right or near:
                named.append(Named(fact.id, right, _said(found, span)))
    return named


def _named_days(found: Sequence[Item], by_shape: ByShape, used: set[int]) -> list[Named]:
    facts = by_shape.get("day", ())
    named = []
    for span, day in days(found):
        used.update(range(span.start, span.end))
        near = _around(found, span)
        options = [fact for fact in facts if day.month or _is_to_come(fact, near)]
        agreeing = [fact for fact in options if day.agrees(_day_of(fact))]
        chosen = next(iter([*_cued(agreeing, near), *agreeing]), None)
        if chosen:
            named.append(Named(chosen.id, True, _said(found, span)))
        elif attempted := _attempted(options, near, partial(_likeness_to, day)):
            named.append(Named(attempted.id, False, _said(found, span)))
    return named


def _is_to_come(fact: KnownFact, near: frozenset[str]) -> bool:
    """Whether "the second" alone may mean this day: nobody says a birthday so."""
    return "date_of_birth" not in fact.answers or bool(near & _CUES["date_of_birth"])


def _day_of(fact: KnownFact) -> Day:
    return written_day(fact.value.strip()) or Day(None, 0)


def _likeness_to(said: Day, fact: KnownFact) -> float:
    known = _day_of(fact)
    same = [said.day == known.day]
    same += [said.month == known.month] if said.month else []
    same += [said.year % 100 == (known.year or 0) % 100] if said.year else []
    return sum(same) / len(same) if any(same) else (0.4 if said.year is None else 0.0)


def _named_times(found: Sequence[Item], by_shape: ByShape, used: set[int]) -> list[Named]:
    said = [(span, time) for span, time in times(found) if not used & set(range(span.start, span.end))]
    named = []
    for fact in by_shape.get("time", ()):
        hour, _, minute = fact.value.strip().partition(":")
        known = (int(hour) % 12, int(minute))
        used.update(at for span, _ in said for at in range(span.start, span.end))
        attempts = [one for one in said if not _may_be_sum(found, one[0])]
        best = next((one for one in said if one[1] == known), attempts[0] if attempts else None)
        named.extend([Named(fact.id, best[1] == known, _said(found, best[0]))] if best else [])
    return named


def _may_be_sum(found: Sequence[Item], span: Span) -> bool:
    words = {item.value for item in found}
    return ":" not in found[span.start].value and bool(_COST_WORDS & words) and not _CLOCK_WORDS & _around(found, span)


def _named_numbers(found: Sequence[Item], by_shape: ByShape, used: set[int]) -> list[Named]:
    numbers = [*by_shape.get("digits", ()), *by_shape.get("code", ())]
    named = []
    for span, run in runs(found):
        if used & set(range(span.start, span.end)) or run.isalpha():
            continue
        figures = [item.value for item in found[span.start : span.end]]
        near = _around(found, span)
        one = (
            _named_money(found, span, run, by_shape.get("money", ()))
            or _agreeing_number(found, span, run, near, numbers)
            or _figures_as_day(found, span, figures, near, by_shape.get("day", ()))
            or _wrong_number(found, span, run, near, numbers)
        )
        named.extend([one] if one else [])
    return named


def _agreeing_number(
    found: Sequence[Item], span: Span, run: str, near: frozenset[str], facts: Sequence[KnownFact]
) -> Named | None:
    ending = bool(near & {"ending", "ends", "end", "last"})
    shortest = 2 if ending else SHORTEST_PART
    if len(run) == 11:
        run = run.removeprefix("1")  # a telephone number with its country code
    whole = [fact for fact in facts if _compact(fact.value) == run]
    part = [
        fact
        for fact in facts
        if len(run) >= shortest
        and (_compact(fact.value).endswith(run) or (not ending and _compact(fact.value).startswith(run)))
    ]
    for options, is_part in ((whole, False), (part, not ending)):
        chosen = next(iter([*_cued(options, near), *options]), None)
        if chosen:
            return Named(chosen.id, True, _said(found, span), is_part)
    return None


def _wrong_number(
    found: Sequence[Item], span: Span, run: str, near: frozenset[str], facts: Sequence[KnownFact]
) -> Named | None:
    def likeness(fact: KnownFact) -> float:
        known = _compact(fact.value)
        tail = known[-len(run) :] if near & {"ending", "ends"} else known
        return Levenshtein.normalized_similarity(run, tail) if abs(len(tail) - len(run)) <= 2 else 0.0

    if len(run) < (SHORTEST_PART if near & {"ending", "ends"} else SHORTEST_PART + 1):
        return None
    attempted = _attempted(facts, near, likeness)
    return Named(attempted.id, False, _said(found, span)) if attempted and likeness(attempted) > 0.2 else None


def _figures_as_day(
    found: Sequence[Item], span: Span, figures: Sequence[str], near: frozenset[str], facts: Sequence[KnownFact]
) -> Named | None:
    for day in figure_days(figures):
        agreeing = [fact for fact in facts if day.agrees(_day_of(fact))]
        chosen = next(iter(agreeing), None) or _attempted(facts, near, partial(_likeness_to, day))
        if chosen:
            return Named(chosen.id, bool(agreeing), _said(found, span))
    if len(figures) == 2 and not near & _CLOCK_WORDS and (pair := figure_days([*figures, "00"])):
        same = [fact for fact in facts if (pair[0].month, pair[0].day) == (_day_of(fact).month, _day_of(fact).day)]
        return Named(same[0].id, True, _said(found, span)) if same else None
    if len(figures) == 3 and all(figure.isdecimal() for figure in figures) and len(figures[-1]) == 2:
        return _misread_day(found, span, figures, facts)
    return None


def _misread_day(found: Sequence[Item], span: Span, figures: Sequence[str], facts: Sequence[KnownFact]) -> Named | None:
    """Figures that were meant as a date and are none ("ten thirty-three forty-four"): same month and year."""
    for fact in facts:
        known = _day_of(fact)
        if int(figures[0]) == known.month and int(figures[2]) == (known.year or 0) % 100:
            return Named(fact.id, False, _said(found, span))
    return None


def _named_money(found: Sequence[Item], span: Span, run: str, facts: Sequence[KnownFact]) -> Named | None:
    after = [item.value for item in found[span.end : span.end + 4]]
    before = found[span.start - 1].value if span.start else ""
    if before in ("dollars", "dollar") or (before == "and" and "cents" in after):
        return None
    cents = _cents(found[span.start : span.start + len(after) + span.end - span.start])
    is_money = bool({"dollars", "dollar", "cents", "flat"} & set(after[:1])) or "$" in found[span.start].value
    for fact in facts:
        known = _cents(items(fact.say)) or _cents(items(fact.value))
        if cents == known or run == _compact(fact.value) or (not is_money and run == str(known)):
            return Named(fact.id, True, _said(found, span))
        if is_money and known is not None:  # most sums that an agent names are others than the caller's
            return Named(fact.id, False, _said(found, span), is_part=True)
    return None


def _cents(found: Sequence[Item]) -> int | None:
    """The sum at the start of some items, in cents."""
    figures: list[str] = []
    cents = ""
    for at, item in enumerate(found):
        if item.kind == "number":
            if at and found[at - 1].value in ("dollars", "dollar", "and") and figures:
                cents = item.value
                break
            figures.append(item.value.strip("$").replace(",", ""))
        elif item.value not in ("dollars", "dollar", "and"):
            break
    joined = "".join(figures)
    if not re.fullmatch(r"\d{1,9}(?:\.\d{1,2})?", joined):
        return None
    return round(float(joined) * 100) + (int(cents) if cents.isdecimal() and len(cents) <= 2 else 0)


def _cued(facts: Sequence[KnownFact], words: frozenset[str]) -> list[KnownFact]:
    return [fact for fact in facts if any(words & _CUES.get(question, frozenset()) for question in fact.answers)]


def _attempted(
    facts: Sequence[KnownFact], near: frozenset[str], likeness: Callable[[KnownFact], float]
) -> KnownFact | None:
    """The fact that a wrong value was meant for: the one its words point at, else the one it resembles."""
    cued = _cued(facts, near)
    best = max(cued or facts, key=likeness, default=None)
    return best if best and (cued or likeness(best) >= LIKE) else None


def _around(found: Sequence[Item], span: Span) -> frozenset[str]:
    return frozenset(item.value for item in found[max(0, span.start - 6) : span.end + 2])


def _said(found: Sequence[Item], span: Span) -> str:
    return " ".join(item.value for item in found[span.start : span.end])


def _compact(value: str) -> str:
    return re.sub(r"[^a-z0-9]", "", value.lower())
