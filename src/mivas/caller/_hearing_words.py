"""Words of an agent's sentence as the hearing model sees them: sentences, tokens and features."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise


def word_set(text: str) -> frozenset[str]:
    """The words of a text, as a constant set is most legibly written."""
    return frozenset(text.split())


MAX_CHARACTERS = 4000
"""Of a turn, its end: nobody remembers more than some four minutes of speech, and the work stays bounded."""
MAX_SENTENCES = 60
MAX_TOKENS = 120
"""Of a sentence, for the same reason."""

_SENTENCE = re.compile(r".+?(?:[!?]+[\"”']*|\.+[\"”']*(?=\s|$)|$|\n+)", re.DOTALL)
"""A full stop inside a word (an address, an amount) ends no sentence."""
_ABBREVIATION = re.compile(r"\b(dr|mr|mrs|ms|st|ave|inc|co|no|ext|a\.m|p\.m)\.(?=\s+\w)", re.IGNORECASE)
_BUT = re.compile(r",? but (?=(?:then )?(?:what|when|where|who|which|how|could|can|may|would|do|did|is|are)\b)")
"""What stands before it isn't what is asked."""
_MONEY = re.compile(r"\$\s?(\d[\d.,]*)")
_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d[\d:.,/]*|\?")

_NUMBERS = word_set(
    "zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand double triple"
)
_DIGIT = r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double|triple|\d+)"
_FIGURES_ONLY = re.compile(rf"{_DIGIT}(?:[ ,-]+{_DIGIT})*[.?!]*")
_FIGURES_LAST = re.compile(rf"\b{_DIGIT}[ ,-]+{_DIGIT}\.?$")
"""A number said in groups may be written as a sentence for each group."""
_ORDINALS = word_set(
    "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth "
    "seventeenth eighteenth nineteenth twentieth thirtieth"
)
_DAYS = word_set("monday tuesday wednesday thursday friday saturday sunday")
_MONTHS = word_set("january february april june july august september october november december")
"""Without "march" and "may", which are ordinary words too."""
_WHOLE = {
    "can't": "can not", "cannot": "can not", "won't": "will not", "gonna": "going to", "wanna": "want to",
    "gotta": "got to", "let's": "let us", "ain't": "is not", "i'm": "i am", "y'all": "you all",
}  # fmt: skip
_ENDINGS = (("n't", " not"), ("'ll", " will"), ("'re", " are"), ("'ve", " have"), ("'d", " would"))
_IS_AFTER = word_set("what who that it there how when where here he she which everything name")


def sentences(text: str) -> list[str]:
    """The sentences of a turn, in order, without the empty ones.

    >>> sentences("It's $4.50. Is that fine? Dr. Ames will call")
    ["It's $4.50.", 'Is that fine?', 'Dr Ames will call']
    """
    plain = text[-MAX_CHARACTERS:].replace("’", "'")
    plain = _BUT.sub(". But ", _ABBREVIATION.sub(r"\1", plain))
    found: list[str] = []
    for part in filter(None, map(str.strip, _SENTENCE.findall(plain))):
        if found and _FIGURES_ONLY.fullmatch(part.lower()) and _FIGURES_LAST.search(found[-1].lower()):
            found[-1] = f"{found[-1].rstrip('. ')}, {part}"
        else:
            found.append(part)
    return found[-MAX_SENTENCES:]


def tokens(sentence: str) -> list[str]:
    """Lower-case words with contractions undone; numbers, days, months and single letters as classes.

    >>> tokens("I'll need the last 4, what's it?")
    ['i', 'will', 'need', 'the', 'last', '<number>', 'what', 'is', 'it', '?']
    """
    lowered = sentence.lower().replace("’", "'").replace("e-mail", "email")
    lowered = _MONEY.sub(r"\1 dollars", lowered)
    found: list[str] = []
    for word in _TOKEN.findall(lowered):
        for part in _undone(word):
            kind = _class_of(part)
            if not (found and kind == found[-1] and kind.startswith("<")):
                found.append(kind)
        if len(found) >= MAX_TOKENS:
            break
    return found[:MAX_TOKENS]


def features(words: Sequence[str]) -> list[str]:
    """What the model weighs: words, pairs, triples, pairs with a gap, and pieces of longer words; each once."""
    return list(dict.fromkeys(_features(words)))


def _features(words: Sequence[str]) -> Iterator[str]:
    padded = ["^", *words, "$"]
    yield from words
    for first, second in pairwise(padded):
        yield f"{first} {second}"
    for first, second, third in zip(padded, padded[1:], padded[2:], strict=False):
        yield f"{first} {second} {third}"
        yield f"{first} _ {third}"
    for word in words:
        if len(word) > 3 and word[0] != "<":
            spelled = f"<{word}>"
            for size in (4, 5):
                for start in range(len(spelled) - size + 1):
                    yield "#" + spelled[start : start + size]


def _undone(word: str) -> list[str]:
    if word in _WHOLE:
        return _WHOLE[word].split()
    for ending, full in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending):
            return (word[: -len(ending)] + full).split()
    if word.endswith("'s"):
        return [word[:-2], "is" if word[:-2] in _IS_AFTER else "'s"]
    return [word]


def _class_of(word: str) -> str:
    if word[0].isdigit() or word in _NUMBERS:
        return "<number>"
    if word in _ORDINALS:
        return "<ordinal>"
    if word in _DAYS:
        return "<day>"
    if word in _MONTHS:
        return "<month>"
    if len(word) == 1 and word not in "aio?":
        return "<letter>"
    return word
