"""Reading and building takes as many steps of Python a node in a long model as in a short one: counted, not timed.

From 15 to 30 to 60 links of a chain the second increment is twice the first where work follows the length, and four
times where something looks at everything for everything.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import onnx
import pytest

import minitrt as trt
from tests.minitrt.engines import Heard, model_of, parsed

ROOT = str(Path(trt.__file__).parent)
LENGTHS = 15, 30, 60
SHARE, GROWTH = 0.02, 2.5  # of all steps, from which a file counts; of increments: 2 is linear, 4 is quadratic
RNG = np.random.default_rng(0)
node = onnx.helper.make_node


class Steps:
    """How many instructions of each file of minitrt ran: a comprehension over all operations is one line, and long."""

    def __enter__(self) -> Counter[str]:
        self.counts: Counter[str] = Counter()
        self.before = sys.gettrace()
        sys.settrace(self.of_a_call)
        return self.counts

    def __exit__(self, *_: Any) -> None:
        sys.settrace(self.before)

    def of_a_call(self, frame: FrameType, event: str, arg: Any) -> Callable | None:
        if not frame.f_code.co_filename.startswith(ROOT):
            return None
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        return self.of_a_step

    def of_a_step(self, frame: FrameType, event: str, arg: Any) -> Callable:
        if event == "opcode":
            self.counts[frame.f_code.co_filename[len(ROOT) + 1 :]] += 1
        return self.of_a_step


class Chain:
    """Links that read one another, rows open."""

    def __init__(self, *columns: int) -> None:
        self.columns, self.nodes, self.last = columns, [], "x"
        self.weights: dict[str, np.ndarray] = {}

    def link(self, *nodes: tuple[str, list[str], list[str], dict]) -> None:
        """Nodes, whose results get names of their own; "x" is what the last link, and its last node, made."""
        names = {"x": self.last}
        for kind, reads, makes, attrs in nodes:
            inputs = [names.get(each, each) for each in reads]
            names |= {each: f"{each}.{len(self.nodes)}" for each in makes}
            self.nodes.append(node(kind, inputs, [names[each] for each in makes], **attrs))
        self.last = names[nodes[-1][2][0]]

    def drawn(self, *shape: int) -> str:
        name = f"w{len(self.weights)}"
        self.weights[name] = RNG.standard_normal(shape).astype(np.float32)
        return name


def alone(c: Chain) -> None:
    c.link(("Sin", ["x"], ["t"], {}))


def dense(c: Chain) -> None:
    c.link(
        ("MatMul", ["x", c.drawn(8, 8)], ["m"], {}), ("Add", ["m", c.drawn(8)], ["a"], {}), ("Relu", ["a"], ["t"], {})
    )


def turned(c: Chain) -> None:
    turn = dict(perm=[1, 0])
    c.link(("Transpose", ["x"], ["u"], turn), ("Softmax", ["u"], ["s"], {}), ("Transpose", ["s"], ["t"], turn))


def shaped(c: Chain) -> None:
    c.weights |= {"zero": np.array([0]), "one": np.array([1]), "eight": np.array([8])}
    c.link(
        ("Shape", ["x"], ["s"], {}), ("Slice", ["s", "zero", "one"], ["b"], {}),
        ("Concat", ["b", "eight"], ["c"], dict(axis=0)), ("Reshape", ["x", "c"], ["r"], {}), ("Sin", ["r"], ["t"], {}),
    )  # fmt: skip


def forked(c: Chain) -> None:
    c.link(
        ("Split", ["x"], ["p", "q"], dict(axis=1)), ("Exp", ["p"], ["e"], {}),
        ("Concat", ["q", "e"], ["t"], dict(axis=1)),
    )  # fmt: skip


def residual(c: Chain) -> None:
    c.link(("Sin", ["x"], ["s"], {}), ("Add", ["x", "s"], ["t"], {}))


def quantised(c: Chain) -> None:
    c.weights |= {"scale": np.float32(0.1), "zero point": np.int8(0)}
    pair, w = ["scale", "zero point"], c.drawn(8, 8)
    c.link(
        ("QuantizeLinear", ["x", *pair], ["q"], {}), ("DequantizeLinear", ["q", *pair], ["d"], {}),
        ("QuantizeLinear", [w, *pair], ["wq"], {}), ("DequantizeLinear", ["wq", *pair], ["wd"], {}),
        ("MatMul", ["d", "wd"], ["t"], {}),
    )  # fmt: skip


def convolved(c: Chain) -> None:
    c.link(("Conv", ["x", c.drawn(4, 4, 3, 3)], ["c"], dict(pads=[1] * 4)), ("Relu", ["c"], ["t"], {}))


def steps_of(link: Callable[[Chain], None], length: int) -> Counter[str]:
    """Of reading and building a chain of so many links."""
    c = Chain(*((4, 6, 6) if link is convolved else (8,)))
    for _ in range(length):
        link(c)
    c.nodes.append(node("Identity", [c.last], ["y"]))
    model, logger = model_of(c.nodes, {"x": (np.float32, ["rows", *c.columns])}, ["y"], c.weights), Heard()
    with Steps() as steps:
        builder, network, config = parsed(model, logger)
        profile = builder.create_optimization_profile()
        profile.set_shape("x", (1, *c.columns), (2, *c.columns), (4, *c.columns))
        config.add_optimization_profile(profile)
        assert builder.build_serialized_network(network, config) is not None, logger.errors
    return steps


@pytest.mark.parametrize("link", [alone, dense, turned, shaped, forked, residual, quantised, convolved])
def test_work_follows_the_length_of_a_model(link):
    short, middle, long = (steps_of(link, length) for length in LENGTHS)
    growth = {
        file: (long[file] - middle[file]) / (middle[file] - short[file])
        for file in long
        if long[file] > SHARE * long.total() and middle[file] > short[file]
    }

    assert growth and {} == {file: each for file, each in growth.items() if each >= GROWTH}
