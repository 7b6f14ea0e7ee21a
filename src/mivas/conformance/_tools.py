"""Tools, transfers between nodes, and what a model is offered. Numbers are those of docs/failure-modes.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from mivas.conformance._bench import run_call, run_calls, toy_pack
from mivas.conformance._ends import Caller, Tools
from mivas.conformance._faults import committing
from mivas.conformance._model import Model, handoff
from mivas.conformance._provider import Provider
from mivas.fakes.realtime import CallStep, Say, Step, WaitStep

LOOK_UP = CallStep(tool="look_up", arguments={"what": "red"})
GREETING = "Nine Lanterns, good morning."


class ToolsAndHandoffs:
    """Every call of the model is carried out once, or refused and told; the node that has the call is the node."""

    def test_25_a_tool_is_carried_out_and_its_result_answered_once(self, provider: Provider) -> None:
        model = Model([Say("One moment."), LOOK_UP, Say("It is here.")])
        call = run_call(provider, model, seconds=15)
        assert call.tools.posts == [("look_up", {"what": "red"}, "front")]
        assert model.outputs("look_up") == [{"ok": True, "data": {"found": "look_up"}}]
        assert call.said == ["One moment.", "It is here."]
        assert len(model.views) == 2, f"the model was asked for {len(model.views)} answers"
        assert list(call.objections) == []

    def test_several_calls_of_one_answer_are_carried_out_in_order(self, provider: Provider) -> None:
        looks = [CallStep(tool="look_up", arguments={"what": colour}) for colour in ("red", "blue", "tall")]
        model = Model([*looks, Say("All here.")])
        call = run_call(provider, model, seconds=15, tools=Tools(takes_s=0.2))
        assert [arguments["what"] for _, arguments, _ in call.tools.posts] == ["red", "blue", "tall"]
        assert len(model.outputs("look_up")) == 3
        assert call.said == ["All here."]

    def test_26_a_node_has_its_own_tools_and_no_other(self, provider: Provider) -> None:
        order = CallStep(tool="take_order", arguments={"lanterns": ["red"]})
        model = Model([order, Say("That I can't do.")])
        call = run_call(provider, model, seconds=15)
        offered = [tool.name for tool in toy_pack().blueprint.entry.tools]
        assert list(model.views[0].tools) == offered
        assert call.tools.posts == [], "a tool of another node was carried out"
        assert [output.get("success", output.get("ok")) for output in model.outputs("take_order")] == [False]
        assert call.said == ["That I can't do."]

    def test_27_a_transfer_that_is_over_and_a_tool_nobody_has_change_nothing(self, provider: Provider) -> None:
        unknown = CallStep(tool="no_such_tool", arguments={})
        model = Model([handoff("to_back"), Say("Back room."), CallStep(tool="to_back"), unknown, Say("I stay here.")])
        call = run_call(provider, model, seconds=20)
        assert call.handoffs == ["back"]
        assert call.tools.posts == []
        assert call.said[-1:] == ["I stay here."]

    def test_28_after_a_transfer_the_model_works_by_the_next_nodes_prompt_and_tools(self, provider: Provider) -> None:
        back = toy_pack().blueprint.by_id["back"]
        model = Model([handoff("to_back"), Say("Back room.")])
        call = run_call(provider, model, seconds=15)
        assert model.problem is None, model.problem
        assert model.views[-1].instructions.strip() == back.instructions.strip()
        assert list(model.views[-1].tools) == [tool.name for tool in back.tools]
        assert call.desk.node.id == "back"
        assert list(call.objections) == [], "the provider refused what came with the transfer"

    @pytest.mark.parametrize("after_ms", [100, 700, 2_500])
    def test_29_barge_in_loses_no_transfer(self, provider: Provider, after_ms: int) -> None:
        words = "I will put you through to the back room, where they know all about it."
        model = Model([Say(words), handoff("to_back"), Say("Back room."), WaitStep(until="speech"), Say("Gladly.")])

        async def caller(me: Caller) -> None:
            await me.until_agent_speaks()
            await me.wait(after_ms)
            await me.speak(1_500, 9_000)
            await me.until_agent_spoke()
            await me.speak(1_500, 9_000)

        call = run_call(provider, model, caller, seconds=40)
        assert call.handoffs == ["back"]
        assert "Gladly." in call.said

    def test_30_31_32_33_the_next_node_speaks_for_itself_in_its_turn_and_unasked(self, provider: Provider) -> None:
        script: list[Step] = [Say(GREETING), WaitStep(until="speech"), Say("I put you through."), handoff("to_back")]
        model = Model([*script, Say("Back room here."), WaitStep(until="speech"), Say("Gladly.")])

        async def caller(me: Caller) -> None:
            await me.until_agent_spoke()
            await me.speak()
            await me.until_agent_spoke(2_500)
            await me.speak()

        call = run_call(provider, model, caller, seconds=40, greeting=GREETING)
        assert call.said == [GREETING, "I put you through.", "Back room here.", "Gladly."]
        assert [one.node for one in call.playout.spoken] == ["front", "front", "back", "back"]
        assert call.ended.by == "limit", f"the call was ended by {call.ended}"
        after = [view.instructions for view in model.views if "to_cellar" in view.tools]
        assert after, "the next node was never asked to speak"
        assert not any(GREETING in instructions for instructions in after), "the next node is told to greet again"

    def test_33_the_next_node_speaks_although_the_caller_is_silent(self, provider: Provider) -> None:
        model = Model([Say("I put you through."), handoff("to_back"), Say("Back room here.")])
        call = run_call(provider, model, seconds=15)
        assert call.said == ["I put you through.", "Back room here."]

    def test_34_a_call_goes_round_in_a_circle_of_nodes(self, provider: Provider) -> None:
        round_trip = [handoff("to_back"), handoff("back_to_front")]
        model = Model([*round_trip, *round_trip, handoff("to_back"), handoff("to_cellar"), Say("Cellar here.")])
        call = run_call(provider, model, seconds=30)
        assert call.handoffs == ["back", "front", "back", "front", "back", "cellar"]
        assert call.said == ["Cellar here."]

    def test_35_no_call_is_read_out(self, provider: Provider) -> None:
        model = Model([Say("One moment."), LOOK_UP, handoff("to_back"), Say("Back room.")])
        call = run_call(provider, model, seconds=15)
        assert " ".join(call.said) == "One moment. Back room."

    def test_36_a_schema_keeps_its_lists_and_its_undescribed_arguments(self, provider: Provider) -> None:
        model = Model([handoff("to_back"), Say("Back room.")])
        run_call(provider, model, seconds=10)
        [offered] = [view.tools["take_order"] for view in model.views if "take_order" in view.tools][-1:]
        wanted = toy_pack().tools["take_order"].input_schema["properties"]
        given = _properties(offered)
        assert given["lanterns"]["type"] == "array"
        assert given["lanterns"]["items"] == wanted["lanterns"]["items"]
        assert given["lengths"]["items"] == wanted["lengths"]["items"]
        assert given["address"]["properties"] == wanted["address"]["properties"]

    @pytest.mark.parametrize(
        "envelope",
        [
            {"detail": "unknown tool 'look_up'"},
            {"ok": False, "error_code": "NOT_VERIFIED", "caller_safe_message": "Who is calling?"},
            {"ok": True, "data": {"words": "é \u4e2d \U0001f3ee", "much": [1, 2.5, None, {"deep": [True]}]}},
            {},
        ],
        ids=["not-found", "refusal", "any-text", "empty"],
    )
    def test_38_an_envelope_reaches_the_model_unchanged(self, provider: Provider, envelope: Mapping[str, Any]) -> None:
        model = Model([LOOK_UP, Say("So it is.")])
        call = run_call(provider, model, seconds=10, tools=Tools(answer=lambda _name, _arguments: envelope))
        assert model.outputs("look_up") == [envelope]
        assert call.said == ["So it is."]

    def test_38_a_service_out_of_reach_is_told_and_the_call_goes_on(self, provider: Provider) -> None:
        model = Model([LOOK_UP, Say("I can't look now."), WaitStep(until="speech"), Say("Try again later.")])

        async def caller(me: Caller) -> None:
            await me.until_agent_spoke()
            await me.speak()

        call = run_call(provider, model, caller, seconds=20, tools=Tools(unreachable=True))
        assert [output["success"] for output in model.outputs("look_up")] == [False]
        assert call.said == ["I can't look now.", "Try again later."]

    def test_39_two_calls_whose_provider_gives_the_same_ids_keep_apart(self, provider: Provider) -> None:
        models = [
            Model([CallStep(tool="look_up", arguments={"what": colour}, call_id="call_1"), Say(f"{colour} it is.")])
            for colour in ("red", "blue")
        ]
        calls = run_calls(provider, models, [None, None], seconds=10, tools=Tools())
        said = {call.said[0] for call in calls}
        assert said == {"red it is.", "blue it is."}
        assert sorted(arguments["what"] for _, arguments, _ in calls[0].tools.posts) == ["blue", "red"]

    def test_a_call_told_twice_happens_once(self, provider: Provider) -> None:
        twice = committing(provider, "duplicate-call")
        model = Model([*twice, LOOK_UP, Say("It is here.")])
        call = run_call(provider, model, seconds=10)
        assert len(call.tools.posts) == 1
        assert call.said == ["It is here."]

    def test_41_an_open_list_of_tools_is_offered_anew_for_every_node(self, provider: Provider) -> None:
        model = Model([handoff("to_back"), handoff("to_cellar"), LOOK_UP, Say("Cellar here.")])
        call = run_call(provider, model, seconds=15)
        assert call.tools.posts == [("look_up", {"what": "red"}, "cellar")]
        assert call.said == ["Cellar here."]

    def test_arguments_that_are_no_json_are_told_to_the_model(self, provider: Provider) -> None:
        broken = committing(provider, "malformed-arguments")
        model = Model([*broken, LOOK_UP, Say("Once more.")])
        call = run_call(provider, model, seconds=10)
        assert call.tools.posts == []
        assert [output["success"] for output in model.outputs("look_up")] == [False]
        assert call.said == ["Once more."]

    @pytest.mark.parametrize("depth", [50, 400, 2_000, 100_000])
    def test_arguments_of_any_depth_leave_the_call_alive(self, provider: Provider, depth: int) -> None:
        nested = '{"what": ' + "[" * depth + "]" * depth + "}"
        model = Model([CallStep(tool="look_up", arguments=nested), Say("Once more.")])
        call = run_call(provider, model, seconds=10)
        assert call.ended.by == "limit", call.ended
        assert call.said == ["Once more."]

    def test_odd_text_in_arguments_leaves_the_call_alive(self, provider: Provider) -> None:
        """Half of a surrogate pair, in what comes and so in what goes back."""
        model = Model([CallStep(tool="look_up", arguments='{"what": "\\ud800 \\u0000"}'), Say("Once more.")])
        call = run_call(provider, model, seconds=10, tools=Tools(answer=lambda _, arguments: {"ok": True, **arguments}))
        assert call.ended.by == "limit", call.ended
        assert call.said == ["Once more."]


def _properties(declared: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments of a tool as a provider was told of them, whatever the key that its schema stands under."""
    for key in ("parameters", "parametersJsonSchema", "input_schema", "inputSchema"):
        if isinstance(declared.get(key), Mapping):
            found: Mapping[str, Any] = declared[key]["properties"]
            return found
    raise AssertionError(f"no schema among {sorted(declared)}")
