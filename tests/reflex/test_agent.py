"""Conversations at a toy shop: routing, slots, read-back, repair, giving up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

JOINED = {"name": "Ada Byron", "born": "1980-01-02", "phone": "+12025550123"}


def test_one_utterance_is_enough(toy: Any) -> None:
    answer = toy.says("I'd like to order magenta paint, please.")
    assert toy.calls == [("to_counter", {}), ("order_paint", {"colour": "magenta"})]
    assert answer == "magenta is ordered. Is there anything else I can help you with?"


def test_what_is_missing_is_asked_for(toy: Any) -> None:
    assert toy.says("I want to buy paint") == "Which colour?"
    assert toy.says("make it red") == "red is ordered. Is there anything else I can help you with?"


def test_a_near_name_is_asked_back(toy: Any) -> None:
    assert toy.says("order paint", "the one that's, my gentle") == "Did you say magenta?"
    toy.says("yes")
    assert toy.calls[-1] == ("order_paint", {"colour": "magenta"})


def test_a_denied_guess_is_not_used(toy: Any) -> None:
    assert toy.says("order paint", "my gentle", "no") == "Could you spell the colour?"
    toy.says("T U R Q U O I S E")
    assert toy.calls[-1] == ("order_paint", {"colour": "turquoise"})


def test_what_is_on_no_list_is_used_only_after_the_list_was_denied(toy: Any) -> None:
    answer = toy.says("order paint", "something chartreuse", "see aitch ay")
    assert answer == "Is it one of these: red, magenta or turquoise?"
    assert all(name != "order_paint" for name, _ in toy.calls)
    toy.says("no, none of those")
    assert toy.calls[-1] == ("order_paint", {"colour": "other"})


def test_a_form_given_up_twice_is_not_begun_again(toy: Any) -> None:
    lost = ["well, you know"] * 3
    toy.says("join the club", *lost, "join the club", *lost)
    assert toy.says("join the club").startswith("I'm sorry, I can't help you")
    assert toy.says("order red paint").startswith("red is ordered")


def test_the_same_guess_is_made_once(toy: Any) -> None:
    answers = [toy.says("order paint"), *(toy.says("my gentle") for _ in range(3))]
    assert answers.count("Did you say magenta?") == 1


def test_what_resembles_nothing_on_the_list_is_on_no_list(toy: Any) -> None:
    toy.says("order paint", "chartreuse please", "chartreuse", "chartreuse please")
    assert toy.calls[-1] == ("order_paint", {"colour": "other"})


def test_it_asks_three_times_and_moves_on(toy: Any) -> None:
    asked = [toy.says("join the club"), *(toy.says("well, you know") for _ in range(3))]
    assert asked[0] == asked[1] == asked[2]
    assert "can't help" in asked[3]
    assert toy.calls == [("to_counter", {})]


def test_values_are_read_back_before_they_are_sent(toy: Any) -> None:
    assert toy.says("join the club") == "What name, and when were you born?"
    answer = toy.says("Ada Byron, January second, nineteen eighty. My number is two oh two, triple five, 0123")
    assert answer == "Ada Byron, born January second, nineteen eighty. Is that right?"
    assert toy.says("Yes") == "That is two zero two, five five five, zero one two three. Is that right?"
    assert toy.says("that's right") == "Welcome to the club. Is there anything else I can help you with?"
    assert toy.calls[-1] == ("join_club", JOINED)


def test_a_correction_is_read_back_again(toy: Any) -> None:
    toy.says("join the club", "Ada Biron, January second 1980")
    assert toy.says("No, it's Byron. A D A, B Y R O N.").startswith("Ada Byron, born January second")
    assert toy.says("yes, but I was born on January third, 1980").startswith("Ada Byron, born January third")


def test_a_plain_no_asks_what_it_should_be(toy: Any) -> None:
    toy.says("join the club", "Ida Byron, January second 1980")
    assert toy.says("no") == "I'm sorry. What should it be?"
    assert toy.says("Ada Byron").startswith("Ada Byron, born January second")
    assert toy.calls == [("to_counter", {})]


@pytest.mark.parametrize(
    "answer", ["That isn't a yes, I notice.", "Hm, let me see.", "I'm not sure that's right", "no"]
)
def test_only_a_yes_is_a_yes(toy: Any, answer: str) -> None:
    toy.says("join the club", "Ada Byron, January second 1980", answer)
    toy.says("My number is 202 555 0123")
    assert all(name != "join_club" for name, _ in toy.calls)


def test_a_year_is_never_made_up(toy: Any) -> None:
    assert toy.says("join the club", "Ada Byron, January second") == "And of which year?"
    assert toy.says("nineteen eighty") == "Ada Byron, born January second, nineteen eighty. Is that right?"


def test_two_wishes_are_served_one_after_the_other(toy: Any) -> None:
    answer = toy.says("are you open, and can I order paint in red?")
    assert answer.startswith("red is ordered. We open at nine.")


def test_a_follow_up_is_about_the_last_matter(toy: Any) -> None:
    toy.says("order red paint")
    toy.says("and in turquoise?")
    assert [call for call in toy.calls if call[0] == "order_paint"] == [
        ("order_paint", {"colour": "red"}),
        ("order_paint", {"colour": "turquoise"}),
    ]


def test_a_question_put_again_is_answered_again_without_a_second_call(toy: Any) -> None:
    assert toy.says("order red paint") == toy.says("did you order the red paint?")
    assert len(toy.calls) == 2


def test_what_is_urgent_interrupts(toy: Any) -> None:
    assert toy.says("join the club", "I want a person") == "I'll get somebody."
    assert toy.calls[-1] == ("fetch_person", {})
    assert toy.desk.hang_up is not None


def test_a_denied_wish_is_none(toy: Any) -> None:
    assert toy.says("I don't want a person, are you open?").startswith("We open at nine.")


def test_a_refusal_is_told_in_the_tools_words(toy: Any, shop: Any) -> None:
    shop.refuse = {"order_paint"}
    assert toy.says("order red paint").startswith("That is not possible today.")


def test_what_no_desk_serves_is_owned_up_to(toy: Any) -> None:
    assert toy.says("I need a miracle").startswith("I'm sorry, I can't help you with that.")


@pytest.mark.parametrize("line", ["No, that's all.", "No, thank you.", "Goodbye.", "that's everything bye"])
def test_it_hangs_up_when_nothing_is_left(toy: Any, line: str) -> None:
    answer = toy.says("are you open?", line)
    assert answer.endswith("Goodbye.")
    assert toy.desk.hang_up is not None


def test_leave_taking_with_a_wish_in_it_is_a_wish(toy: Any) -> None:
    assert toy.says("are you open?", "No, that's all, but order red paint").startswith("red is ordered")


def test_it_says_again_what_was_not_caught(toy: Any) -> None:
    assert toy.says("order paint", "Sorry, could you repeat that?") == "Which colour?"


def test_silence_and_nonsense_are_answered(toy: Any) -> None:
    assert toy.says("") == "Hello, the paint shop."
    assert toy.says("zgrwl purple seventh") == "I'm sorry, I didn't catch that. Could you say it again?"
    assert toy.says("zgrwl", "zgrwl", "zgrwl").startswith("I'm sorry, I can't help you")


def test_a_value_that_the_schema_rules_out_is_never_sent(
    make_toy: Callable[[dict[str, Any]], Any], toy_table: dict[str, Any]
) -> None:
    toy_table["slots"]["colour"]["options"].append({"value": "puce", "say": "puce pink"})
    toy = make_toy(toy_table)
    assert toy.says("order puce pink paint") == "Could you spell the colour?"
    assert toy.notes == ["unfit_argument"]


def test_a_sentence_with_a_gap_is_left_out(
    make_toy: Callable[[dict[str, Any]], Any], toy_table: dict[str, Any]
) -> None:
    toy_table["everywhere"]["opening"]["steps"][0]["say"][0]["say"] = "We open at {{ nobody.knows }}."
    toy = make_toy(toy_table)
    assert "open" not in toy.says("are you open")
    assert toy.notes == ["unsayable"]


def test_a_table_that_goes_in_circles_ends_the_turn(
    make_toy: Callable[[dict[str, Any]], Any], toy_table: dict[str, Any], shop: Any
) -> None:
    toy_table["desks"]["counter"]["forms"]["order"]["steps"][1]["refused"] = [{"say": "Again.", "forget": ["colour"]}]
    toy_table["intents"]["order"]["sets"] = {"colour": "red"}
    shop.refuse = {"order_paint"}
    toy = make_toy(toy_table)
    toy.says("order paint", *["red"] * 8)
    assert sum(name == "order_paint" for name, _ in toy.calls) <= 9


LINES = st.text(max_size=60) | st.sampled_from(
    ["join the club", "yes", "no", "Ada Byron", "January second 1980", "202 555 0123", "order paint", "red", "pardon?"]
)


@given(lines=st.lists(LINES, max_size=8))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_line_breaks_it(
    make_toy: Callable[[dict[str, Any]], Any], toy_table: dict[str, Any], lines: list[str]
) -> None:
    """Whatever is said, each turn is answered, and nothing but what was said and confirmed is sent."""
    toy = make_toy(toy_table)
    for line in lines:
        if toy.desk.hang_up is None:
            assert toy.says(line)
    for name, arguments in toy.calls:
        if name == "join_club":
            assert arguments == JOINED
