"""The equality kinds: one table for each, rows named after the rule they hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mivas.pack._equality import (
    NORMAL_FORMS,
    AliasTable,
    date_time_to_minute,
    is_phone_key,
    national_digits,
    output_value,
    same_alias,
    same_alias_set,
    same_digits,
    same_fuzzy_name,
    same_json,
    same_minute,
    same_plain,
    same_suffix_digits,
    trim_lower,
)

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3), max_leaves=8
)
OFFICES = AliasTable(
    normalise=trim_lower,
    spellings={"loc_park_ave": "loc_park_ave", "park avenue": "loc_park_ave", "loc_windermere": "loc_windermere"},
)


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        pytest.param("Daniel Okonkwo", "Daniel Oconquo", True, id="sounds alike"),
        pytest.param("new cases intake", "New cases", False, id="a word is missing"),
        pytest.param("new cases intake", "New case intake", True, id="a letter is missing"),
        pytest.param(
            "St. Benedict Medical Center",
            "St. Benedict Medical Center and the surgeon involved",
            True,
            id="extra words don't hurt",
        ),
        pytest.param("Harborline Industries", "Harbor Line Industries", True, id="a word was split"),
        pytest.param("Halloway Toolworks", "Holloway Tool Works", True, id="split and slipped"),
        pytest.param("Vertex Logistics", "Vertex", False, id="S1: half a name is not the name"),
        pytest.param("Vertex Logistics", "e", False, id="S1: a letter is not the name"),
        pytest.param("Vertex Logistics", "Vertex Logistic", True, id="a last letter is missing"),
        pytest.param("Pellham Transit", "Pelham Transit", True, id="S1: a double letter"),
        pytest.param("Tom Eckhart", "Tim Eckhart", False, id="short words take no slip"),
        pytest.param("USCIS", "U.S.C.I.S.", True, id="an acronym with stops"),
        pytest.param("Daniel Okonkwo", "Allison Fontaine", False, id="another name"),
        pytest.param("Fontaine", "Fantane", True, id="seven letters take two slips"),
        pytest.param("Fontaine", "Fantan", False, id="but not three"),
        pytest.param("Abcd", "Bcde", False, id="four letters take one slip, and a shift is two"),
        pytest.param("José O’Neil", "Jose ONeil", True, id="accents and apostrophes go"),
        pytest.param("Dörr Ágnes", "Agnes Dorr", True, id="accents go inside a word, words in any order"),
        pytest.param("Pat O'Neil", "ONeil, Pat", True, id="an apostrophe parts no word"),
        pytest.param("Ann Lee", "An Le", True, id="doubled letters count once, even where no slip is taken"),
        pytest.param("Daniel Okonkwo", " ", False, id="nothing was said"),
        pytest.param("Daniel Okonkwo", 7, None, id="no text"),
    ],
)
def test_fuzzy_names(expected: object, actual: object, same: bool | None) -> None:
    assert same_fuzzy_name(expected, actual) is same


@given(st.text(), st.text())
def test_a_fuzzy_name_always_meets_itself_however_much_is_added(name: str, more: str) -> None:
    if same_fuzzy_name(name, name):
        assert same_fuzzy_name(name, f"{name} {more}")


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        pytest.param("loc_park_ave", "Park Avenue ", True, id="name for id"),
        pytest.param("Park Avenue", "loc_park_ave", True, id="id for name"),
        pytest.param("loc_park_ave", "Park Avenue office in Manhattan", False, id="S14: more than the name"),
        pytest.param("loc_park_ave", "loc_windermere", False, id="another office"),
        pytest.param("Boston", "boston", True, id="unknown names still equal themselves"),
        pytest.param(" ", "  ", False, id="blank spells nothing"),
        pytest.param("loc_park_ave", 3, None, id="a number isn't a spelling"),
    ],
)
def test_aliases(expected: object, actual: object, same: bool | None) -> None:
    assert same_alias(expected, actual, table=OFFICES) is same


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        pytest.param(["loc_park_ave"], ["Park Avenue", "loc_park_ave"], True, id="order and repeats don't matter"),
        pytest.param(["loc_park_ave"], ["loc_park_ave", "loc_windermere"], False, id="a superset fails"),
        pytest.param([], [], False, id="empty never matches"),
        pytest.param(["loc_park_ave"], [3], False, id="a number in the list"),
        pytest.param(["loc_park_ave"], "loc_park_ave", None, id="a scalar is no list"),
    ],
)
def test_alias_sets(expected: object, actual: object, same: bool | None) -> None:
    assert same_alias_set(expected, actual, table=OFFICES) is same


def test_an_unknown_spelling_has_no_canonical_name() -> None:
    assert OFFICES.canonical(" park AVENUE") == "loc_park_ave"
    assert OFFICES.canonical("Boston") is None
    assert OFFICES.canonical(None) is None


@pytest.mark.parametrize(
    ("form", "text", "normal"),
    [
        ("trim_lower", " Park  Avenue ", "park  avenue"),
        ("compact", "United-Health Care!", "unitedhealthcare"),
        ("letters", " N.Y. 2", "ny"),
        ("spaces", "Slip-and_fall ", "slip and fall"),
        ("underscores", " In the Store", "in_the_store"),
    ],
)
def test_normal_forms(form: str, text: str, normal: str) -> None:
    assert NORMAL_FORMS[form](text) == normal


@pytest.mark.parametrize("form", sorted(NORMAL_FORMS))
@given(text=st.text())
def test_a_normal_form_is_its_own_normal_form(form: str, text: str) -> None:
    once = NORMAL_FORMS[form](text)
    twice = NORMAL_FORMS[form](once)
    assert NORMAL_FORMS[form](twice) == twice


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        pytest.param("+12125550100", "(212) 555-0100", True, id="S15: national format"),
        pytest.param("+12125550100", 2125550100, True, id="a number is a spelling of digits"),
        pytest.param("+12125550100", "212555010", False, id="a digit short"),
        pytest.param("none", "unknown", None, id="no digits, no telephone number"),
        pytest.param("+12125550100", True, None, id="a boolean has no digits"),
    ],
)
def test_telephone_numbers(expected: object, actual: object, same: bool | None) -> None:
    assert same_digits(expected, actual) is same


def test_only_a_leading_one_of_eleven_digits_is_dropped() -> None:
    assert national_digits("12125550100") == "2125550100"
    assert national_digits("22125550100") == "22125550100"
    assert national_digits("1212555010") == "1212555010"


@pytest.mark.parametrize(
    ("key", "is_phone"), [("phone", True), ("PHONE_E164", True), ("x_e164", True), ("callback_number", False)]
)
def test_telephone_keys_are_known_by_name(key: str, is_phone: bool) -> None:
    assert is_phone_key(key) is is_phone


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        pytest.param("AB-4471209", "4471209", True, id="without the prefix"),
        pytest.param("AB-4471209", "1209", True, id="last four"),
        pytest.param("AB-4471209", "209", None, id="three digits say too little"),
        pytest.param("AB-4471209", "4471208", None, id="other digits leave the rest to text"),
        pytest.param("AB-4471209", "99 4471209", True, id="only the last seven are read"),
    ],
)
def test_suffix_digits(expected: object, actual: object, same: bool | None) -> None:
    assert same_suffix_digits(expected, actual) is same


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        pytest.param("2026-08-24T09:00", "2026-08-24 09:00:59Z", True, id="seconds and zone go"),
        pytest.param("2026-08-24T09:00", "2026-08-24T09:00+02:00", True, id="zones aren't converted"),
        pytest.param("2026-08-24T00:00", "2026-08-24", True, id="a date is midnight"),
        pytest.param("2026-08-24T09:00", "2026-08-24T09:01", False, id="another minute"),
        pytest.param("2026-08-24T09:00", "nine", None, id="not a time"),
        pytest.param("2026-02-30T09:00", "2026-02-30T09:00:00", None, id="not a real day"),
    ],
)
def test_minutes(expected: object, actual: object, same: bool | None) -> None:
    assert same_minute(expected, actual) is same


@pytest.mark.parametrize("text", ["2026-08-24", "2026-08-24T9:00", "2026-08-24T09:00:61", "x2026-08-24T09:00"])
def test_what_is_no_date_time_is_left_alone(text: str) -> None:
    assert date_time_to_minute(text) is None


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        pytest.param("399.99", 399.99, True, id="number and its text"),
        pytest.param(540, "0540", True, id="leading zero"),
        pytest.param("$399.99", 399.99, False, id="a currency sign is no number"),
        pytest.param(True, "true", False, id="a boolean is no text"),
        pytest.param(" Aetna", "AETNA ", True, id="case and ends"),
        pytest.param({"a": 1}, "a", False, id="object against text"),
        pytest.param(10**400, "1", False, id="too big for a float"),
    ],
)
def test_plain_values(expected: object, actual: object, same: bool) -> None:
    assert same_plain(expected, actual) is same


def test_true_equals_one_and_one_equals_its_float() -> None:
    assert same_json(True, 1)
    assert same_json(1, 1.0)
    assert not same_json("1", 1)


def test_an_answer_names_a_value_only_in_its_data() -> None:
    assert output_value({"data": {"order_number": "A-1"}}, "order_number") == "A-1"
    assert output_value({"order_number": "A-1"}, "order_number") is None
    assert output_value("text", "order_number") is None


@given(expected=JSON, actual=JSON)
def test_no_kind_raises_on_any_json(expected: object, actual: object) -> None:
    for kind in (same_digits, same_suffix_digits, same_minute, same_fuzzy_name, same_plain, same_json):
        assert kind(expected, actual) in (True, False, None)
    assert same_alias(expected, actual, table=OFFICES) in (True, False, None)
    assert same_alias_set(expected, actual, table=OFFICES) in (True, False, None)
