"""Scheduling: what is open, and the two steps that book or cancel."""

from __future__ import annotations

from typing import Any

import pytest

EVALUATION, CANCELLATION = "HR-EVAL-3092", "HR-CANC-7715"
AUTO = {"practice_area": "auto_accident", "state": "CA", "earliest_date": ""}


def slot_ids(data: dict[str, Any]) -> list[str]:
    return [slot["slot_id"] for slot in data["slots"]]


def book(desk: Any, slot_id: str = "s_110", area: str = "auto_accident") -> dict[str, Any]:
    hold = desk("hold_evaluation", slot_id=slot_id, practice_area=area)
    answer: dict[str, Any] = desk("confirm_evaluation", confirmation_token=hold["confirmation_token"])
    return answer


@pytest.mark.parametrize("attorney", ["a_10", "a_11", "a_12", "a_13"])
def test_an_attorney_is_found_by_id(desk: Any, attorney: str) -> None:
    data = desk("get_attorney", attorney_id=attorney)
    assert data["attorney_id"] == attorney
    assert data["name"]
    assert all(isinstance(data[key], list) and data[key] for key in ("practice_areas", "bar_states"))


@pytest.mark.parametrize("attorney", ["A_10", " a_10", "a_14", "", None])
def test_an_attorneys_id_has_to_be_right(desk: Any, attorney: Any) -> None:
    assert desk.refused("get_attorney", attorney_id=attorney) == "HTTP_404"


OFFERS = {
    ("auto_accident", "CA TX AZ"): ["s_110", "s_111"],
    ("premises_liability", "CA TX AZ"): ["s_110", "s_111"],
    ("auto_accident", "FL GA NY"): ["s_130", "s_131"],
    ("product_liability", "FL GA NY"): ["s_130", "s_131"],
    ("workers_comp", "FL GA NY"): ["s_130", "s_131"],
    ("medical_malpractice", "FL GA"): ["s_120"],
    ("employment", "CA WA"): ["s_100", "s_101"],
    ("consumer", "CA WA"): ["s_100", "s_101"],
}
AREAS = [
    "auto_accident", "premises_liability", "medical_malpractice", "employment", "workers_comp", "product_liability",
    "consumer", "criminal", "family", "immigration", "bankruptcy", "patent",
]  # fmt: skip
STATES = ["CA", "FL", "NY", "TX", "GA", "IL", "WA", "PA", "NC", "AZ"]


@pytest.mark.parametrize("area", AREAS)
def test_openings_are_those_of_attorneys_admitted_there_for_such_cases(desk: Any, area: str) -> None:
    offered = {(name, state): ids for (name, states), ids in OFFERS.items() for state in states.split()}
    for state in STATES:
        data = desk("find_evaluation_slots", practice_area=area, state=state, earliest_date="")
        assert slot_ids(data) == offered.get((area, state), [])
        assert data["count"] == len(data["slots"])
        assert "relaxed_filter" not in data


def test_an_opening_names_its_attorney_and_time(desk: Any) -> None:
    first = desk("find_evaluation_slots", **AUTO)["slots"][0]
    assert first == {
        "slot_id": "s_110",
        "attorney_id": "a_11",
        "attorney": "Tom Eckhart",
        "datetime": "2026-08-11T09:00",
    }


@pytest.mark.parametrize(
    ("earliest", "found", "relaxed"),
    [
        pytest.param("2026-08-10", ["s_110", "s_111"], False, id="the day before"),
        pytest.param("2026-08-11", ["s_110", "s_111"], False, id="the day of"),
        pytest.param("2026-08-12", ["s_111"], False, id="the day after"),
        pytest.param("2026-08-13", ["s_110", "s_111"], True, id="after the last one"),
        pytest.param("2027-01-01", ["s_110", "s_111"], True, id="next year"),
        pytest.param("2026-08-12T09:00", ["s_110", "s_111"], True, id="a time makes it later than any day"),
        pytest.param("soon", ["s_110", "s_111"], True, id="words are later than any day"),
        pytest.param("", ["s_110", "s_111"], False, id="blank"),
        pytest.param(None, ["s_110", "s_111"], False, id="null"),
        pytest.param(0, ["s_110", "s_111"], False, id="zero"),
        pytest.param(" ", ["s_110", "s_111"], False, id="a space is earlier than any day"),
    ],
)
def test_the_earliest_day_is_compared_as_text_and_dropped_when_nothing_is_left(
    desk: Any, earliest: Any, found: list[str], relaxed: bool
) -> None:
    data = desk("find_evaluation_slots", **AUTO | {"earliest_date": earliest})
    assert slot_ids(data) == found
    assert data.get("relaxed_filter") == ("earliest_date dropped" if relaxed else None)


def test_nothing_at_all_is_no_error_and_nothing_was_relaxed(desk: Any) -> None:
    search = {"practice_area": "medical_malpractice", "state": "CA", "earliest_date": "2027-01-01"}
    assert desk("find_evaluation_slots", **search) == {"slots": [], "count": 0}


@pytest.mark.parametrize("state", ["California", "", None])
def test_a_search_knows_two_letter_codes_only(desk: Any, state: Any) -> None:
    assert slot_ids(desk("find_evaluation_slots", **AUTO | {"state": state})) == []


def test_a_search_understands_a_spoken_kind_of_case_and_any_case(desk: Any) -> None:
    assert slot_ids(desk("find_evaluation_slots", **AUTO | {"practice_area": "Car Crash", "state": " ca "})) == [
        "s_110",
        "s_111",
    ]


@pytest.mark.parametrize(
    ("slot_id", "area", "terms"),
    [
        ("s_110", "auto_accident", ("contingency", 0, 33.33, 40)),
        ("s_110", "workers_comp", ("contingency", 0, 20, 20)),
        ("s_100", "consumer", ("hourly", 175, 0, 0)),
        ("s_110", "family", (None, 0, 0, 0)),
    ],
)
def test_a_hold_tells_the_terms_and_books_nothing(known: Any, slot_id: str, area: str, terms: tuple[Any, ...]) -> None:
    data = known("hold_evaluation", slot_id=slot_id, practice_area=area)
    keys = ("fee_type", "consult_fee", "contingency_pct_prefiling", "contingency_pct_litigation")
    assert tuple(data[key] for key in keys) == terms
    assert data["confirmation_token"] == EVALUATION
    state = known.state()
    assert state["evaluations"] == []
    (hold,) = state["holds"]
    assert hold["summary"] == data["summary"]
    assert {key: hold[key] for key in ("kind", "slot_id", "evaluation_id", "practice_area", "reason", "consumed")} == {
        "kind": "evaluation",
        "slot_id": slot_id,
        "evaluation_id": None,
        "practice_area": area,
        "reason": None,
        "consumed": 0,
    }
    assert known.look("SELECT status FROM slots WHERE id = ?", slot_id) == [{"status": "open"}]


@pytest.mark.parametrize(
    ("slot_id", "area", "words", "never"),
    [
        (
            "s_110",
            "auto_accident",
            "Tom Eckhart|2026-08-11 at 09:00|free|unless we win|33.33%|40%|lawsuit is filed",
            "$|T09",
        ),
        ("s_130", "workers_comp", "Daniel Okonkwo|2026-08-11 at 08:30|20%", "$|33.33%|40%"),
        ("s_100", "consumer", "Priya Raghunathan|2026-08-12 at 10:00|consultation fee|$175", "%|free"),
        ("s_120", "patent", "Ruth Kealoha|2026-08-14 at 11:00|$0", "%|free"),
    ],
)
def test_the_summary_to_read_back_names_attorney_time_and_charge(
    known: Any, slot_id: str, area: str, words: str, never: str
) -> None:
    summary = known("hold_evaluation", slot_id=slot_id, practice_area=area)["summary"]
    assert all(word in summary for word in words.split("|"))
    assert not any(word in summary for word in never.split("|"))


@pytest.mark.parametrize("slot_id", ["s_999", "S_110", " s_110", "", None])
def test_an_unknown_time_is_not_held(known: Any, slot_id: Any) -> None:
    assert known.refused("hold_evaluation", slot_id=slot_id, practice_area="nonsense") == "HTTP_404"
    assert known.state()["holds"] == []


def test_an_unknown_kind_of_case_is_not_held(known: Any) -> None:
    envelope = known.post("hold_evaluation", {"slot_id": "s_110", "practice_area": "tax"})
    assert envelope["error_code"] == "HTTP_404"
    assert "kind of case" in envelope["caller_safe_message"]


def test_a_spoken_kind_of_case_is_kept_as_it_was_said_and_booked_as_what_it_means(known: Any) -> None:
    book(known, area="Car Accident")
    state = known.state()
    assert state["holds"][0]["practice_area"] == "Car Accident"
    assert state["evaluations"][0]["fee_type"] == "contingency"


def test_a_confirmation_books_the_held_time_and_takes_it_off_the_calendar(known: Any) -> None:
    assert book(known) == {"evaluation_id": "ev_001", "status": "booked"}
    state = known.state()
    assert state["evaluations"] == [
        {
            "id": "ev_001",
            "caller_id": "c_new",
            "slot_id": "s_110",
            "attorney_id": "a_11",
            "starts_at": "2026-08-11T09:00",
            "fee_type": "contingency",
            "status": "booked",
            "created_at": "2027-01-05 09:30:15",
        }
    ]
    assert state["holds"][0]["consumed"] == 1
    assert slot_ids(known("find_evaluation_slots", **AUTO)) == ["s_111"]


@pytest.mark.parametrize(("slot_id", "area", "fee_type"), [("s_100", "consumer", "hourly"), ("s_110", "family", None)])
def test_a_booking_has_the_fee_type_of_its_kind_of_case(known: Any, slot_id: str, area: str, fee_type: Any) -> None:
    book(known, slot_id, area)
    assert known.state()["evaluations"][0]["fee_type"] == fee_type


@pytest.mark.parametrize("tool", ["confirm_evaluation", "confirm_cancellation"])
@pytest.mark.parametrize("token", [EVALUATION, CANCELLATION, "HR-EVAL-0000", EVALUATION.lower(), ""])
def test_a_token_nobody_was_given_is_refused(known: Any, tool: str, token: str) -> None:
    assert known.refused(tool, confirmation_token=token) == "HTTP_400"
    assert known.state()["evaluations"] == []


def test_a_token_works_once_and_a_new_hold_arms_it_again(known: Any) -> None:
    book(known)
    assert known.refused("confirm_evaluation", confirmation_token=EVALUATION) == "HTTP_409"
    assert book(known, "s_111")["evaluation_id"] == "ev_002"
    assert len(known.state()["holds"]) == 1


def test_a_new_hold_takes_the_place_of_the_last(known: Any) -> None:
    known("hold_evaluation", slot_id="s_110", practice_area="auto")
    book(known, "s_111")
    assert [row["slot_id"] for row in known.state()["evaluations"]] == ["s_111"]


def test_a_time_that_is_taken_may_be_held_and_booked_again(known: Any) -> None:
    book(known)
    assert book(known) == {"evaluation_id": "ev_002", "status": "booked"}


def test_the_hold_decides_what_a_confirmation_does_not_the_tool(known: Any) -> None:
    known("hold_evaluation", slot_id="s_110", practice_area="auto")
    assert known("confirm_cancellation", confirmation_token=EVALUATION) == {
        "evaluation_id": "ev_001",
        "status": "booked",
    }
    known("hold_cancellation", evaluation_id="ev_001", reason="caller_request")
    assert known("confirm_evaluation", confirmation_token=CANCELLATION) == {
        "evaluation_id": "ev_001",
        "status": "cancelled",
    }


def test_a_cancellation_is_held_free_of_charge_and_changes_nothing_yet(known: Any) -> None:
    book(known)
    data = known("hold_cancellation", evaluation_id="ev_001", reason="scheduling_conflict")
    assert data["fee"] == 0
    assert "no cancellation fee" in data["summary"]
    assert (data["confirmation_token"], data["evaluation_id"]) == (CANCELLATION, "ev_001")
    state = known.state()
    assert state["evaluations"][0]["status"] == "booked"
    hold = state["holds"][1]
    assert {key: hold[key] for key in ("kind", "slot_id", "evaluation_id", "practice_area", "reason", "consumed")} == {
        "kind": "cancellation",
        "slot_id": None,
        "evaluation_id": "ev_001",
        "practice_area": None,
        "reason": "scheduling_conflict",
        "consumed": 0,
    }


def test_a_cancellation_frees_no_time_and_the_next_booking_counts_on(known: Any) -> None:
    book(known)
    known("hold_cancellation", evaluation_id="ev_001", reason="caller_request")
    known("confirm_cancellation", confirmation_token=CANCELLATION)
    assert slot_ids(known("find_evaluation_slots", **AUTO)) == ["s_111"]
    assert book(known, "s_111")["evaluation_id"] == "ev_002"
    state = known.state()
    assert [(row["id"], row["status"]) for row in state["evaluations"]] == [
        ("ev_001", "cancelled"),
        ("ev_002", "booked"),
    ]
    assert [row["token"] for row in state["holds"]] == [CANCELLATION, EVALUATION]
    assert known.refused("confirm_cancellation", confirmation_token=CANCELLATION) == "HTTP_409"


@pytest.mark.parametrize("evaluation_id", ["ev_999", "", None])
def test_cancelling_what_was_never_booked_succeeds_and_changes_no_booking(known: Any, evaluation_id: Any) -> None:
    book(known)
    known("hold_cancellation", evaluation_id=evaluation_id, reason=None)
    data = known("confirm_cancellation", confirmation_token=CANCELLATION)
    assert data == {"evaluation_id": evaluation_id, "status": "cancelled"}
    assert known.state()["evaluations"][0]["status"] == "booked"


def test_a_hold_outlives_the_service(known: Any) -> None:
    known("hold_evaluation", slot_id="s_110", practice_area="auto")
    known.service.close()
    assert known("confirm_evaluation", confirmation_token=EVALUATION)["evaluation_id"] == "ev_001"
