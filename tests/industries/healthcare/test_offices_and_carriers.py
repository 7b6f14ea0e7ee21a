"""Offices and carriers: which spellings count. They are the verifier's, so an honoured call is never a missed one."""

from __future__ import annotations

from typing import Any

import pytest

OFFICES = {"loc_brooklyn_heights": "Brooklyn Heights", "loc_park_ave": "Park Avenue", "loc_windermere": "Windermere"}
SPELLINGS = [
    (spelling, office)
    for office, name in OFFICES.items()
    for spelling in (office, name, name.lower(), name.upper(), f"  {name}\t", office.upper())
]
NO_OFFICE = [
    "brooklyn", "e", "park", "Park Avenue South", "Park Avenue office in Manhattan", "the Windermere office",
    "loc_park", "Montague Street", "Boston", "park_ave", "Park  Avenue", " ", "10016",
]  # fmt: skip


@pytest.mark.parametrize(("spelling", "office"), SPELLINGS)
def test_an_office_is_named_by_its_exact_id_or_name(desk: Any, spelling: str, office: str) -> None:
    assert desk("check_plan_accepted", carrier="aetna", location_id=spelling)["location"] == OFFICES[office]
    assert [slot["location_id"] for slot in desk("find_slots", location_ids=[spelling])["slots"]] == [office] * 3
    booked = desk("schedule_allergy_service", service="skin_testing", location_id=spelling)["appointment"]
    assert booked["location_id"] == office
    entry = desk("join_waitlist", appointment_type_code="NP_MED", location_ids=[spelling], earliest="2026-08-24")
    assert entry["waitlist_entry"]["location_ids"] == [office]
    assert desk("list_locations", name=spelling)["locations"][0]["id"] == office


@pytest.mark.parametrize("spelling", NO_OFFICE)
def test_part_of_a_name_is_no_office(desk: Any, spelling: str) -> None:
    assert desk.refused("check_plan_accepted", carrier="aetna", location_id=spelling) == "UNKNOWN_LOCATION"
    assert desk.refused("schedule_allergy_service", service="skin_testing", location_id=spelling) == "UNKNOWN_LOCATION"
    assert desk("find_slots", location_ids=[spelling]) == {"slots": [], "count": 0}
    entry = desk("join_waitlist", appointment_type_code="NP_MED", location_ids=[spelling], earliest="2026-08-24")
    assert entry["waitlist_entry"]["location_ids"] == [spelling]
    assert desk("list_locations", name=spelling)["locations"][0]["id"] == "loc_brooklyn_heights"


@pytest.mark.parametrize(
    ("arguments", "order"),
    [
        pytest.param({}, "BPW", id="by id"),
        pytest.param({"location_id": "loc_windermere"}, "WBP", id="the office asked for first"),
        pytest.param({"zip": "10016"}, "PBW", id="then those of the ZIP"),
        pytest.param({"location_id": "Windermere", "zip": "10016"}, "WPB", id="office before ZIP"),
        pytest.param({"name": "park avenue"}, "PBW", id="name in place of the id"),
        pytest.param({"location": "Windermere"}, "WBP", id="location in place of the id"),
        pytest.param({"location_id": "", "name": None, "location": "Windermere"}, "WBP", id="first that isn't empty"),
        pytest.param({"location_id": "Boston", "name": "Windermere"}, "BPW", id="an unknown first one still wins"),
        pytest.param({"name": "Park Avenue", "location": "Windermere"}, "PBW", id="name before location"),
        pytest.param({"location_id": ["loc_windermere"], "zip": 99}, "BPW", id="nonsense is ignored"),
    ],
)
def test_all_offices_are_listed_the_wanted_one_first(desk: Any, arguments: dict[str, Any], order: str) -> None:
    rows = desk("list_locations", **arguments)["locations"]
    assert "".join(row["name"][0] for row in rows) == order


def test_cosmetic_work_is_a_boolean_in_the_list_and_a_number_in_the_state(desk: Any) -> None:
    listed = {row["id"]: row for row in desk("list_locations")["locations"]}
    assert [listed[office]["offers_cosmetic"] for office in OFFICES] == [True, True, False]
    for row in desk.state()["locations"]:
        assert row["offers_cosmetic"] in (0, 1)
        assert not isinstance(row["offers_cosmetic"], bool)
        assert listed[row["id"]] == row | {"offers_cosmetic": bool(row["offers_cosmetic"])}


CARRIERS = [
    ("aetna", "aetna"), (" AETNA ", "aetna"), ("UnitedHealthcare", "unitedhealthcare"),
    ("United Healthcare", "unitedhealthcare"), ("Cigna!", "cigna"), ("BCBS", "bcbs"), ("Blue Cross", "bcbs"),
    ("Blue Cross Blue Shield", "bcbs"), ("bluecross-blueshield", "bcbs"), ("Medicare", "medicare"),
    ("medicaid", "medicaid"), ("Oscar", "oscar_health"), ("Oscar Health", "oscar_health"),
    ("oscar_health", "oscar_health"), ("Other", "other"), ("UHC", "uhc"), ("Blue Shield", "blueshield"),
    ("Humana Gold+", "humanagold"), ("--", "other"), (" ", "other"), (42, "42"),
]  # fmt: skip


@pytest.mark.parametrize(("spelling", "slug"), CARRIERS)
def test_a_carrier_is_slugged(desk: Any, spelling: Any, slug: str) -> None:
    assert desk("check_plan_accepted", carrier=spelling, location_id="loc_park_ave")["carrier"] == slug


ACCEPTED = ("aetna", "unitedhealthcare", "cigna", "bcbs", "medicare")
ACCEPTANCE = [
    *((carrier, None, True) for carrier in ACCEPTED),
    *((carrier, "own", True) for carrier in ACCEPTED),
    *((carrier, "other", None) for carrier in ACCEPTED),
    *((carrier, "unknown", None) for carrier in ACCEPTED),
    ("medicaid", None, False), ("medicaid", "own", False), ("medicaid", "other", None), ("medicaid", "unknown", None),
    *((carrier, provider, None) for carrier in ("oscar_health", "other", "UHC") for provider in (None, "own", "other")),
]  # fmt: skip
PROVIDERS = {"loc_park_ave": "prov_chen", "loc_brooklyn_heights": "prov_ruiz", "loc_windermere": "prov_patel"}


@pytest.mark.parametrize(("carrier", "provider", "accepted"), ACCEPTANCE)
def test_acceptance_is_the_carriers_and_unconfirmed_for_a_provider_from_elsewhere(
    desk: Any, carrier: str, provider: str | None, accepted: bool | None
) -> None:
    for office, own in PROVIDERS.items():
        other = next(provider_id for provider_id in PROVIDERS.values() if provider_id != own)
        given = {None: {}, "own": {"provider_id": own}, "other": {"provider_id": other}}
        named = given.get(provider, {"provider_id": "prov_who"})
        data = desk("check_plan_accepted", carrier=carrier, location_id=office, **named)
        assert data["accepted"] is accepted
        assert data["must_not_assert"] is (accepted is None)
        assert data["location"] == OFFICES[office]
        keys = {"carrier", "location", "accepted", "must_not_assert"}
        if accepted is False:
            keys |= {"alternative_locations", "notes", "required_script"}
            assert data["alternative_locations"] == []
            assert "none of our offices" in data["required_script"]
        if accepted is None:
            keys |= {"required_script"}
            assert "insurance team" in data["required_script"]
            assert "callback" in data["required_script"]
        assert set(data) == keys


def test_a_blank_provider_is_no_provider(desk: Any) -> None:
    assert desk("check_plan_accepted", carrier="aetna", location_id="windermere", provider_id="")["accepted"] is True
