"""Screening: conflicts, kinds of case, licences, and the last day to file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mivas.pack import Pack

CLOCK = datetime(2026, 8, 1)  # noqa: DTZ001 - local wall time
NOTHING = [None, "", "   ", 0, False, [], {}]


# Conflicts


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("Vertex Logistics", "conflict"),
        ("Vertex Logistic", "conflict"),
        ("Vortex Logistics", "conflict"),
        ("Logistics Vertex", "conflict"),
        ("the company is VERTEX logistics, of Dallas", "conflict"),
        ("northgate insurence", "conflict"),
        ("Northgate Insurance Company", "conflict"),
        ("St Benedict Medical Center", "unclear"),
        ("St. Benedicts Medical Center", "unclear"),
        ("St. Benedict Medical Center and the surgeon, Doctor Lane", "unclear"),
        ("harlow properties llc", "unclear"),
        ("Harlow Propertys", "unclear"),
        ("Vertex", "clear"),
        ("Verteks Logistics", "clear"),
        ("VertexLogistics Inc.", "clear"),
        ("Northgate", "clear"),
        ("Harlow Property", "clear"),
        ("Saint Benedict Medical Center", "clear"),
        ("St. Benedict Medical Centre", "clear"),
        ("Cedarlane Market", "clear"),
        ("?!", "clear"),
        ("St. Benedict Medical Center and Vertex Logistics", "unclear"),
        ("Northgate Insurance and Vertex Logistics", "conflict"),
        ("Vertex Logistics and Harlow Properties", "unclear"),
    ],
)
def test_a_listed_party_is_known_by_its_words_give_or_take_a_slip(desk: Any, said: str, status: str) -> None:
    data = desk("check_conflict", opposing_party=said)
    assert data["status"] == status
    assert data["may_proceed"] is (status == "clear")
    assert data["opposing_party"] == said
    assert data["disclosure"]


@pytest.mark.parametrize("value", NOTHING)
def test_nobody_named_is_clear(desk: Any, value: Any) -> None:
    data = desk("check_conflict", opposing_party=value)
    assert (data["status"], data["opposing_party"]) == ("clear", value)


@pytest.mark.parametrize(
    ("word", "slipped", "status"),
    [
        pytest.param("vertex", "vertx", "conflict", id="six letters, one slip"),
        pytest.param("vertex", "vrtx", "clear", id="six letters, two slips"),
        pytest.param("logistics", "logistis", "conflict", id="nine letters, one slip"),
        pytest.param("logistics", "lgistis", "conflict", id="nine letters, two slips"),
        pytest.param("logistics", "lgstis", "clear", id="nine letters, three slips"),
    ],
)
def test_a_longer_word_tolerates_more(desk: Any, word: str, slipped: str, status: str) -> None:
    assert desk("check_conflict", opposing_party="Vertex Logistics".lower().replace(word, slipped))["status"] == status


def test_a_word_of_three_letters_or_fewer_has_to_be_right(desk: Any) -> None:
    assert desk("check_conflict", opposing_party="sta benedict medical center")["status"] == "clear"


# Kinds of case


def test_every_kind_of_case_answers_with_its_row(desk: Any) -> None:
    table = {
        "auto_accident": (True, "contingency", 33.33, 40, 0),
        "premises_liability": (True, "contingency", 33.33, 40, 0),
        "medical_malpractice": (True, "contingency", 33.33, 40, 0),
        "employment": (True, "contingency", 33.33, 40, 0),
        "workers_comp": (True, "contingency", 20, 20, 0),
        "product_liability": (True, "contingency", 33.33, 40, 0),
        "consumer": (True, "hourly", 0, 0, 175),
    } | dict.fromkeys(["criminal", "family", "immigration", "bankruptcy", "patent"], (False, None, 0, 0, 0))
    for code, terms in table.items():
        data = desk("check_practice_area", practice_area=code)
        assert tuple(data.values()) == (code, *terms)
        whole = [data["contingency_pct_prefiling"], data["contingency_pct_litigation"]]
        assert [type(value) for value in whole] == [float if value == 33.33 else int for value in terms[2:4]]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("Car Accident", "auto_accident"),
        ("slip-and-fall", "premises_liability"),
        ("med_mal", "medical_malpractice"),
        ("workman's comp", "workers_comp"),
        (" fired ", "employment"),
        ("defective product", "product_liability"),
        ("debt collector", "consumer"),
        ("WORKERS COMP", "workers_comp"),
        ("workers-comp", "workers_comp"),
    ],
)
def test_spoken_kinds_of_case_are_understood(desk: Any, said: str, code: str) -> None:
    assert desk("check_practice_area", practice_area=said)["practice_area"] == code


@pytest.mark.parametrize("said", ["workmans comp", "workers' comp", "car  accident", "tax", 5, True, *NOTHING])
def test_an_unknown_kind_of_case_is_refused(desk: Any, said: Any) -> None:
    assert desk.refused("check_practice_area", practice_area=said) == "HTTP_404"
    assert desk.broken() == []


# Licences

DEFAULT = ["CA", "FL", "NY", "TX", "GA", "IL", "WA", "PA", "NC"]
NARROWER = {"medical_malpractice": ["FL", "GA", "NY"], "workers_comp": ["CA", "FL", "GA", "TX"]}


def test_a_kind_of_case_with_a_list_of_its_own_has_only_that(desk: Any, pack: Pack) -> None:
    for area in {*pack.scoring.aliases["practice_area"].spellings.values(), "no_such_area"}:
        states = NARROWER.get(area, DEFAULT)
        for state in (*DEFAULT, "AZ"):
            data = desk("check_jurisdiction", state=f" {state.lower()} ", practice_area=area)
            assert data == {
                "state": state,
                "practice_area": area,
                "licensed": state in states,
                "licensed_states": states,
            }


@pytest.mark.parametrize("state", ["California", "C.A.", "", None, 0, 6, ["CA"]])
def test_a_check_knows_two_letter_codes_only(desk: Any, state: Any) -> None:
    assert desk("check_jurisdiction", state=state, practice_area="auto")["licensed"] is False
    assert (
        desk.refused("calculate_filing_deadline", state=state, practice_area="auto", incident_date="2026-01-01")
        == "HTTP_404"
    )
    assert desk.broken() == []


# Filing deadlines

VECTORS = [
    ("TX", "premises_liability", "2026-05-03", "2028-05-02", 640, "ok"),
    ("FL", "workers_comp", "2026-07-28", "2028-07-27", 726, "ok"),
    ("WA", "auto_accident", "2026-06-08", "2029-06-07", 1042, "ok"),
    ("CA", "auto_accident", "2026-05-15", "2028-05-14", 652, "ok"),
    ("GA", "auto_accident", "2022-03-10", "2024-03-09", -874, "expired"),
    ("CA", "auto_accident", "2024-09-15", "2026-09-15", 46, "urgent"),
    ("WA", "employment", "2026-06-02", "2029-06-01", 1036, "ok"),
    ("GA", "product_liability", "2026-04-22", "2028-04-21", 630, "ok"),
    ("CA", "consumer", "2026-01-05", "2030-01-05", 1253, "ok"),
    ("FL", "medical_malpractice", "2026-05-20", "2028-05-19", 658, "ok"),
    ("NY", "medical_malpractice", "2024-02-01", "2026-08-02", 1, "urgent"),
    ("CA", "auto_accident", "2026-07-10", "2028-07-09", 708, "ok"),
    # Half a day is decided by the even neighbour, at both ends of urgent.
    ("CA", "auto_accident", "2024-07-30", "2026-07-30", -2, "expired"),
    ("CA", "auto_accident", "2024-07-31", "2026-07-31", 0, "urgent"),
    ("CA", "auto_accident", "2024-08-01", "2026-08-01", 0, "urgent"),
    ("CA", "auto_accident", "2024-10-29", "2026-10-29", 90, "urgent"),
    ("CA", "auto_accident", "2024-10-30", "2026-10-30", 90, "urgent"),
    ("CA", "auto_accident", "2024-10-31", "2026-10-31", 92, "ok"),
    ("CA", "auto_accident", "2024-09-15T13:00", "2026-09-16", 46, "urgent"),
    # One year is 365 days and 6 hours.
    ("CA", "medical_malpractice", "2025-07-31", "2026-07-31", -1, "expired"),
    ("CA", "medical_malpractice", "2025-07-30", "2026-07-30", -2, "expired"),
    ("CA", "medical_malpractice", "2025-08-01", "2026-08-01", 0, "urgent"),
    ("CA", "workers_comp", "2025-10-29", "2026-10-29", 89, "urgent"),
    ("CA", "workers_comp", "2025-10-30", "2026-10-30", 90, "urgent"),
    ("CA", "workers_comp", "2025-10-31", "2026-10-31", 91, "ok"),
    # Three years end at 18:00.
    ("WA", "employment", "2023-08-01", "2026-07-31", 0, "urgent"),
    ("WA", "employment", "2023-07-31", "2026-07-30", -1, "expired"),
    ("WA", "employment", "2023-10-30", "2026-10-29", 90, "urgent"),
    ("WA", "employment", "2023-10-31", "2026-10-30", 91, "ok"),
    # Four years are whole days, six end at noon.
    ("CA", "consumer", "2022-08-01", "2026-08-01", 0, "urgent"),
    ("CA", "consumer", "2022-07-31", "2026-07-31", -1, "expired"),
    ("CA", "consumer", "2022-10-30", "2026-10-30", 90, "urgent"),
    ("CA", "consumer", "2022-10-31", "2026-10-31", 91, "ok"),
    ("NY", "consumer", "2020-08-01", "2026-08-01", 0, "urgent"),
    ("NY", "consumer", "2020-07-31", "2026-07-31", 0, "urgent"),
    ("NY", "consumer", "2020-07-30", "2026-07-30", -2, "expired"),
    # Leap days, of the incident and of the deadline.
    ("CA", "auto_accident", "2024-02-28", "2026-02-27", -154, "expired"),
    ("CA", "auto_accident", "2024-02-29", "2026-02-28", -154, "expired"),
    ("CA", "auto_accident", "2024-03-01", "2026-03-01", -152, "expired"),
    ("TX", "consumer", "2024-02-29", "2028-02-29", 577, "ok"),
    ("CA", "auto_accident", "2026-02-28", "2028-02-28", 576, "ok"),
    ("CA", "auto_accident", "2026-03-01", "2028-02-29", 578, "ok"),
    ("NY", "medical_malpractice", "2024-02-29", "2026-08-30", 29, "urgent"),
    # Other spellings of a day.
    ("CA", "auto_accident", "20240915", "2026-09-15", 46, "urgent"),
    ("CA", "auto_accident", "2024-W37-7", "2026-09-15", 46, "urgent"),
]


@pytest.mark.parametrize(("state", "area", "incident", "deadline", "days", "status"), VECTORS)
def test_the_last_day_to_file(
    desk: Any, state: str, area: str, incident: str, deadline: str, days: int, status: str
) -> None:
    data = desk("calculate_filing_deadline", state=state, practice_area=area, incident_date=incident)
    assert (data["deadline_date"], data["days_remaining"], data["status"]) == (deadline, days, status)
    assert isinstance(data["limitation_years"], float)
    assert data["note"]


@pytest.fixture(scope="module")
def periods(pack: Pack) -> Iterator[dict[tuple[str, str], Fraction]]:
    connection = sqlite3.connect(":memory:")
    connection.executescript(pack.schema_sql + pack.seed_sql)
    rows = connection.execute("SELECT state, practice_area, years FROM limitation_periods")
    yield {(state, area): Fraction(years) for state, area, years in rows}
    connection.close()


def to_even(days: Fraction) -> int:
    """Nearest whole number, a half to the even neighbour, in exact arithmetic."""
    floor, rest = divmod(days, 1)
    return int(floor) + (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and floor % 2 == 1))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    incident=st.dates(date(1990, 1, 1), date(2026, 8, 1)) | st.dates(date(2019, 7, 25), date(2026, 8, 1)),
    data=st.data(),
)
def test_a_deadline_is_mean_years_after_the_incident(
    ring: Callable[[], Any], periods: dict[tuple[str, str], Fraction], incident: date, data: st.DataObject
) -> None:
    (state, area), years = data.draw(st.sampled_from(sorted(periods.items())))
    answer = ring()("calculate_filing_deadline", state=state, practice_area=area, incident_date=incident.isoformat())
    span = years * Fraction(1461, 4)
    whole_days = int(span // 1)
    days = to_even(Fraction((incident - CLOCK.date()).days) + span)
    assert answer["deadline_date"] == (incident + timedelta(days=whole_days)).isoformat()
    assert answer["days_remaining"] == days
    assert answer["status"] == ("expired" if days < 0 else "urgent" if days <= 90 else "ok")


@pytest.mark.parametrize("state", ["CA", "FL", "NY", "TX", "GA", "WA", "AZ"])
def test_a_state_with_periods_has_one_for_each_accepted_kind_of_case(desk: Any, state: str) -> None:
    for area in ("auto", "premises", "medical", "fired", "workers_comp", "product", "consumer"):
        desk("calculate_filing_deadline", state=state, practice_area=area, incident_date="2026-01-01")


@pytest.mark.parametrize(
    ("state", "area"),
    [
        ("IL", "auto"),
        ("PA", "auto"),
        ("NC", "auto"),
        ("CA", "family"),
        ("CA", "patent"),
        ("CA", "nonsense"),
        ("OH", "auto"),
    ],
)
@pytest.mark.parametrize("incident", ["2026-01-01", "soon", None])
def test_without_a_period_there_is_no_deadline_whatever_the_day(
    desk: Any, state: str, area: str, incident: Any
) -> None:
    arguments = {"state": state, "practice_area": area, "incident_date": incident}
    assert desk.refused("calculate_filing_deadline", **arguments) == "HTTP_404"


@pytest.mark.parametrize(
    "incident",
    ["", None, "last May", " 2026-05-15", "2026-05-15 ", "2026-5-15", "2026-02-29", "15/05/2026", "2026", 20260515, []],
)
def test_a_day_that_is_no_iso_date_is_asked_for(desk: Any, incident: Any) -> None:
    arguments = {"state": "CA", "practice_area": "auto", "incident_date": incident}
    assert desk.refused("calculate_filing_deadline", **arguments) == "HTTP_400"
    assert desk.broken() == []


@pytest.mark.parametrize("incident", ["2026-05-15T10:00Z", "2026-05-15T10:00+02:00", "9999-12-31", "9998-12-31"])
def test_a_zone_or_a_day_past_the_calendar_is_unusable(desk: Any, incident: str) -> None:
    arguments = {"state": "CA", "practice_area": "auto", "incident_date": incident}
    assert desk.refused("calculate_filing_deadline", **arguments) == "INVALID_ARGUMENTS"
    assert desk.broken() == []


def test_screening_needs_nobody_identified_and_writes_nothing(desk: Any) -> None:
    before = desk.state()
    desk("check_conflict", opposing_party="Vertex Logistics")
    desk("check_practice_area", practice_area="auto")
    desk("check_jurisdiction", state="CA", practice_area="auto")
    desk("calculate_filing_deadline", state="CA", practice_area="auto", incident_date="2026-05-15")
    assert desk.state() == before
