"""What is wrong with a reader's tactic is said by its name, with what to do; and no fusion swallows what it runs."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

from minitrt import tactics
from minitrt.tactics import Call, In, Out, OwnTactic, Scratch, TacticError
from minitrt.tactics.own.interpreted import run
from minitrt.tactics.own.lowering import launches_of
from tests.minitrt.engines import Heard, engine_of, model_of, parsed
from tests.minitrt.operations import RELU, conv
from tests.minitrt.tactics.own import tactics as own
from tests.minitrt.tactics.own.test_own_tactics import names_of


class Named(OwnTactic):
    """One that supports everything."""

    name = "named"

    def supports(self, op):
        return True

    def calls(self, op):
        return [Call(own.copy, 1, 32, (In(0), Out(0)))]


def made(**members) -> OwnTactic:
    return type("Made", (Named,), members)()


NEVER = type("Never", (OwnTactic,), {"name": "never"})()


@pytest.mark.parametrize(
    ("tactic", "error", "problem"),
    [
        (Named, TypeError, "pass an object of it"),
        (7, TypeError, "derived from minitrt.tactics.OwnTactic"),
        (made(name="a b"), TacticError, "letters, digits"),
        (made(name="a@b"), TacticError, "letters, digits"),
        (made(name=""), TacticError, "letters, digits"),
        (NEVER, TacticError, "no method supports and no method calls"),
        (made(fusions=("swallow",)), TacticError, "swallow"),
    ],
)
def test_what_cannot_be_registered_is_refused_in_words(tactic, error, problem):
    with pytest.raises(error, match=problem):
        tactics.register(tactic)
    assert [] == tactics.registered()


def calling(*args, **more) -> OwnTactic:
    return made(calls=lambda self, op: [Call(own.copy, 1, 32, args, **more)])


@pytest.mark.parametrize(
    ("tactic", "problem"),
    [
        (calling(In(1)), "input 1 of .* is a constant: pass op.inputs"),
        (calling(In(3)), "has no input 3"),
        (calling(In(9)), "has no input 9"),
        (calling(Out(1)), "has no output 1"),
        (calling(In(0, (3, 3))), r"is \(2, 64, 9, 9\) in memory, and not \(3, 3\)"),
        (calling(True), "takes In, Out, Scratch"),
        (calling("eight"), "takes In, Out, Scratch"),
        (calling(np.float16(1)), "numbers of int32"),
        (made(calls=lambda self, op: []), "a list of one Call or more"),
        (made(calls=lambda self, op: [7]), "a list of one Call or more"),
        (made(calls=lambda self, op: 1 // 0), "raised ZeroDivisionError"),
        (made(layouts=lambda self, op: (("linear",), ("linear",))), "Give one for each"),
    ],
)
def test_calls_that_no_launch_can_be_made_of_are_refused_in_words(tactic, problem):
    op = conv((2, 64, 9, 9), 64, (3, 3), before=(1, 1), activation=RELU)
    with pytest.raises(TacticError, match=problem) as caught:
        launches_of(op, tactic)
    assert "named" == caught.value.tactic


def test_a_layout_that_nobody_knows_is_refused_where_it_is_first_needed():
    op = engine_of(own.relu_model())._plan.profiles[0].graph.ops[0]
    tactic = made(layouts=lambda self, op: (("spiral",), ("linear",)))
    with pytest.raises(TacticError, match="there is no layout 'spiral'; there are linear, nhwc16"):
        run(tactic, op, [np.zeros((2, 3, 5), np.float32)])


def test_what_supports_raises_ends_the_build_with_the_tactics_name():
    with tactics.using(made(supports=lambda self, op: op.attrs["no such"])):
        builder, network, config = parsed(own.relu_model(), heard := Heard())
        assert builder.build_serialized_network(network, config) is None
    assert "tactic 'named': supports(r) raised KeyError" in heard.errors[0]


def test_a_name_that_is_registered_again_is_replaced_and_one_that_is_not_cannot_be_taken_away():
    with tactics.using(Named()):
        newer = tactics.register(Named())
        assert ["named"] == tactics.registered()
        tactics.unregister(newer)
        with pytest.raises(KeyError, match="no tactic 'named' is registered"):
            tactics.unregister("named")


def pooled() -> onnx.ModelProto:
    """A convolution and a pool, which the engine makes one of."""
    weights = np.random.default_rng(1).standard_normal((8, 3, 7, 7)).astype(np.float32)
    nodes = [
        onnx.helper.make_node("Conv", ["x", "w"], ["c"], "conv", pads=[3] * 4, strides=[2, 2]),
        onnx.helper.make_node("Relu", ["c"], ["r"], "relu"),
        onnx.helper.make_node("MaxPool", ["r"], ["y"], "pool", kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4),
    ]
    return model_of(nodes, {"x": (np.float32, (1, 3, 16, 16))}, ["y"], {"w": weights})


def test_no_fusion_swallows_a_layer_that_a_reader_runs_and_none_is_shown_with_more_work_than_it_has():
    seen = []

    def supports(self, op):
        seen.append((op.kind, bool(op.attrs.get("pool"))))
        return False

    with tactics.using(made(supports=supports)):
        engine_of(pooled())
    assert ("conv", False) in seen and ("conv", True) not in seen
    alone = made(
        supports=lambda self, op: op.kind == "pool", calls=lambda self, op: [Call(own.copy, 1, 1, (In(0), Out(0)))]
    )
    with tactics.using(alone):
        assert names_of(engine_of(pooled())) == ["reference", "named"]


def test_scratch_is_one_place_in_all_calls_and_places_do_not_meet():
    a, b = Scratch((3,), np.int8), Scratch((100,))
    op = engine_of(own.relu_model())._plan.profiles[0].graph.ops[0]
    tactic = made(calls=lambda self, op: [Call(own.copy, 1, 1, (a, b)), Call(own.copy, 1, 1, (b, a))])
    first, second = launches_of(op, tactic)
    places = [[arg.offset_bytes for arg in one.args if hasattr(arg, "zeroed_bytes")] for one in (first, second)]
    assert [[0, 256], [256, 0]] == places
