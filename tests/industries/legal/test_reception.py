"""Reception: who a name and a number mean, what the caller has on file, and messages."""

from __future__ import annotations

from typing import Any

import pytest

DANA = {"full_name": "Dana Whitfield", "phone": "510-555-0142"}

MATCHES = [
    pytest.param("Dana Whitfield", "(510) 555-0142", "c_001", id="as on file, marks in the number"),
    pytest.param(" DANA   whitfield ", "0142", "c_001", id="any case and spacing, last four"),
    pytest.param("dana whitfeld", "0142", "c_001", id="a slip in the last name"),
    pytest.param("Dana M Whitfield", "5105550142", "c_001", id="what stands between doesn't count"),
    pytest.param("Dina Whitfeeld", "0142", "c_001", id="a slip in each name"),
    pytest.param("Dina Whitfeelld", "0142", "c_001", id="two slips in a long name"),
    pytest.param("D'ana Whit-field", "0142", "c_001", id="marks inside a name"),
    pytest.param("Dana Whitfield", "9995550142", "c_001", id="another number with the same last four"),
    pytest.param("Dana Whitfield", "+1 510 555 0142", "c_001", id="a country code in front"),
    pytest.param("Thomas Eckhardt", "3125550277", "c_004", id="the client"),
    pytest.param("Pria Raghunathan", "0119", "c_003", id="one slip in five letters"),
    pytest.param("Markuz Oyelaran", "0188", "c_002", id="two slips in six letters"),
    pytest.param("Priya Raghunathan", "0119", "c_003", id="a caller who shares an attorney's name"),
    pytest.param("Marcus Oyelaran", "0188", "c_002", id="the represented caller"),
]
NEW = [
    pytest.param("Dana", "5105550142", id="a first name alone"),
    pytest.param("Whitfield Dana", "5105550142", id="turned round"),
    pytest.param("D Whitfield", "5105550142", id="an initial"),
    pytest.param("Dana Whitfield-Smith", "5105550142", id="a double name"),
    pytest.param("Tom Eckhart", "3125550277", id="a short form of the first name"),
    pytest.param("Dina Whitfeellld", "5105550142", id="three slips in a long name"),
    pytest.param("Dinna Whitfield", "5105550142", id="two slips in a short name"),
    pytest.param("Priyaxx Raghunathan", "2065550119", id="two slips in five letters"),
    pytest.param("Markuzz Oyelaran", "4155550188", id="three slips in six letters"),
    pytest.param("Dana Whitfield", "5105550143", id="another number"),
    pytest.param("Dana Whitfield 2", "5105550142", id="a last token without a letter is an empty word"),
    pytest.param("Ann", "2145550163", id="three letters are a name"),
    pytest.param("李小龙", "2145550163", id="a name without a letter of the alphabet"),
]
NOBODY = [
    pytest.param("Dana Whitfield", "142", id="three digits"),
    pytest.param("Dana Whitfield", "", id="no digit"),
    pytest.param("Whitfield Dana", "0142", id="turned round, short number"),
    pytest.param("D Whitfield", "0142", id="an initial, short number"),
    pytest.param("Al", "2145550163", id="two letters are no name"),
    pytest.param(" Al ", "2145550163", id="nor with spaces round them"),
    pytest.param("Alma Reyes", "214555016", id="nine digits"),
    pytest.param("", "2145550163", id="no name"),
]


@pytest.mark.parametrize(("name", "number", "caller"), MATCHES)
def test_a_record_is_found_by_a_close_name_and_its_number(desk: Any, name: str, number: str, caller: str) -> None:
    before = desk.state()
    data = desk("lookup_caller", full_name=name, phone=number)
    assert (data["caller_id"], data["returning_caller"]) == (caller, True)
    assert data["name"] == next(row["name"] for row in before["callers"] if row["id"] == caller)
    assert desk.state() == before


@pytest.mark.parametrize(("name", "number"), NEW)
def test_anybody_else_with_a_name_and_ten_digits_gets_a_record(desk: Any, name: str, number: str) -> None:
    data = desk("lookup_caller", full_name=f" {name} ", phone=number)
    assert data == {"caller_id": "c_new", "name": name, "returning_caller": False, "prior_matter_count": 0}
    assert desk.state()["callers"][-1] == {"id": "c_new", "name": name, "phone": number}


@pytest.mark.parametrize(("name", "number"), NOBODY)
def test_too_little_finds_and_makes_nobody(desk: Any, name: str, number: str) -> None:
    before = desk.state()
    envelope = desk.post("lookup_caller", {"full_name": name, "phone": number})
    assert envelope["error_code"] == "HTTP_404"
    assert "ten digit" in envelope["caller_safe_message"]
    assert desk.state() == before
    assert desk.refused("get_caller_matters") == "HTTP_400"


def test_a_new_number_is_kept_with_all_its_digits(desk: Any) -> None:
    desk("lookup_caller", full_name="Bob Smithe", phone="1 (214) 555-0163")
    assert desk.state()["callers"][-1]["phone"] == "12145550163"


def test_the_same_new_caller_returns_and_another_takes_the_record(desk: Any) -> None:
    first = desk("lookup_caller", full_name="Renee Whitmore", phone="2145550163")
    again = desk("lookup_caller", full_name="Renee Whitmore", phone="0163")
    other = desk("lookup_caller", full_name="Curtis Beaumont", phone="5555550012")
    assert [data["returning_caller"] for data in (first, again, other)] == [False, True, False]
    assert {data["caller_id"] for data in (first, again, other)} == {"c_new"}
    assert [row["name"] for row in desk.state()["callers"] if row["id"] == "c_new"] == ["Curtis Beaumont"]


def test_what_was_written_for_a_new_caller_stays_with_the_shared_id(desk: Any) -> None:
    desk("lookup_caller", full_name="Renee Whitmore", phone="2145550163")
    desk("take_message", for_whom="intake", message="call me")
    desk("lookup_caller", full_name="Curtis Beaumont", phone="5555550012")
    assert [row["caller_id"] for row in desk.state()["messages"]] == ["c_new"]


def test_prior_matters_are_counted(desk: Any) -> None:
    assert desk("lookup_caller", full_name="Marcus Oyelaran", phone="4155550188")["prior_matter_count"] == 1
    assert desk("lookup_caller", **DANA)["prior_matter_count"] == 0


def test_a_failed_lookup_leaves_the_caller_and_a_later_one_replaces_it(desk: Any) -> None:
    desk("lookup_caller", **DANA)
    assert desk.refused("lookup_caller", full_name="Al", phone="1") == "HTTP_404"
    assert desk.refused("lookup_caller", full_name="Al") == "INVALID_ARGUMENTS"
    desk("take_message", for_whom="a", message="b")
    desk("lookup_caller", full_name="Thomas Eckhart", phone="3125550277")
    desk("take_message", for_whom="a", message="b")
    assert [row["caller_id"] for row in desk.state()["messages"]] == ["c_001", "c_004"]


def test_who_was_identified_outlives_the_service(desk: Any) -> None:
    desk("lookup_caller", **DANA)
    desk.service.close()
    desk("take_message", for_whom="a", message="b")
    assert desk.state()["messages"][0]["caller_id"] == "c_001"


def test_what_the_service_remembers_is_not_in_the_state(desk: Any) -> None:
    before = desk.state()
    desk("lookup_caller", **DANA)
    assert desk.state() == before


def test_matters_come_by_id_with_the_firm_that_represents(desk: Any) -> None:
    desk("lookup_caller", full_name="Marcus Oyelaran", phone="4155550188")
    data = desk("get_caller_matters", matter_id="m_91")
    assert data == {
        "matters": [{"matter_id": "m_88", "practice_area": "family", "represented": True, "firm": "Croft & Blake"}],
        "has_represented_matter": True,
    }


def test_a_matter_of_ours_has_no_other_firm_and_a_new_caller_no_matter(desk: Any) -> None:
    desk("lookup_caller", full_name="Thomas Eckhart", phone="3125550277")
    data = desk("get_caller_matters")
    assert [(row["matter_id"], row["represented"], row["firm"]) for row in data["matters"]] == [("m_91", False, None)]
    assert data["has_represented_matter"] is False
    desk("lookup_caller", full_name="Renee Whitmore", phone="2145550163")
    assert desk("get_caller_matters") == {"matters": [], "has_represented_matter": False}


def test_a_message_is_kept_word_for_word_as_often_as_it_is_left(known: Any) -> None:
    first = known("take_message", for_whom=" Daniel Okonkwo ", message="")
    second = known("take_message", for_whom=" Daniel Okonkwo ", message="")
    assert first == {
        "message_id": 1,
        "status": "delivered",
        "for_whom": " Daniel Okonkwo ",
        "callback_promised": "They will call back before the next business day closes.",
    }
    assert second["message_id"] == 2
    rows = known.state()["messages"]
    assert [(row["for_whom"], row["message"]) for row in rows] == [(" Daniel Okonkwo ", "")] * 2
    assert {row["created_at"] for row in rows} == {"2027-01-05 09:30:15"}
