"""Sequences and optional values, which the import takes apart, against ONNX Runtime; and what it cannot."""

from __future__ import annotations

import numpy as np
import onnx.parser
import pytest

import minitrt as trt
from tests.minitrt.engines import STRONG, Heard, expected_of, results_of

HEAD = '<ir_version: 8, opset_import: ["" : 18]> g (float[4,m] x) => (float[a,b] y, int64 l) { '
FIRST = "i = Constant<value = int64 {0}>() "

TEXTS = {
    "made, put into, taken out of": FIRST
    + """n = Neg(x) r = Relu(x) s = SequenceConstruct(x, n) p = SequenceInsert(s, r, i) q = SequenceErase(p, i)
    o = SequenceInsert(q, r) y = ConcatFromSequence<axis = 1>(o) l = SequenceLength(o)""",
    **{
        f"put in at {place}": f"""p = Constant<value = int64 {{{place}}}>() n = Neg(x) r = Relu(x)
        s = SequenceConstruct(x, n) o = SequenceInsert(s, r, p) y = ConcatFromSequence<axis = 1>(o)
        l = SequenceLength(o)"""
        for place in (-2, -1, 0, 1, 2)
    },
    "split, one part": FIRST
    + "s = SplitToSequence<axis = 0, keepdims = 1>(x) y = SequenceAt(s, i) l = SequenceLength(s)",
    "split by threes, the last one": """three = Constant<value = int64 {3}>() last = Constant<value = int64 {-1}>()
    s = SplitToSequence<axis = 0>(x, three) y = SequenceAt(s, last) l = SequenceLength(s)""",
    "split into sizes, stacked again": """sizes = Constant<value = int64[2] {2, 2}>() s = SplitToSequence(x, sizes)
    w = ConcatFromSequence<axis = 0, new_axis = 1>(s) y = ReduceSum<keepdims = 0>(w, sizes0) l = SequenceLength(s)""",
    "rows without their axis": """s = SplitToSequence<axis = 0, keepdims = 0>(x)
    y = ConcatFromSequence<axis = 1, new_axis = 1>(s) l = SequenceLength(s)""",
    "filled by a loop": """t = Constant<value = int64 {3}>() c = Constant<value = bool {1}>()
    e = SequenceEmpty<dtype = 1>()
    s = Loop(t, c, e) <body = b (int64 j, bool ci, seq(float) a) => (bool co, seq(float) o) {
        co = Identity(ci) o = SequenceInsert(a, x) }>
    y = ConcatFromSequence<axis = 0>(s) l = SequenceLength(s)""",
    "mapped": """s = SequenceConstruct(x, x)
    q = SequenceMap<body = b (float[4,m] e) => (float[4,m] o) { o = Neg(e) }>(s)
    y = ConcatFromSequence<axis = 0>(q) l = SequenceLength(q)""",
    "optional, and there": """o = Optional(x) y = OptionalGetElement(o) h = OptionalHasElement(o)
    l = Cast<to = 7>(h)""",
    "optional, and absent": """o = Optional<type = float>() y = Relu(x) h = OptionalHasElement(o)
    l = Cast<to = 7>(h)""",
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_it_is_taken_apart(name):
    sizes = "sizes0 = Constant<value = int64[1] {0}>() " if "sizes0" in TEXTS[name] else ""
    model = onnx.parser.parse_model(f"{HEAD}{sizes}{TEXTS[name]} }}")
    feeds = {"x": np.random.default_rng(1).standard_normal((4, 3)).astype(np.float32)}
    found = results_of(model, feeds)

    for output, array in expected_of(model, feeds).items():
        assert found[output].shape == array.shape
        np.testing.assert_allclose(found[output], array, rtol=1e-6)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("n = Constant<value = int64 {2}>() s = SplitToSequence<axis = 1>(x, n) l = SequenceLength(s) y = Relu(x)",
         "the size of axis 1 must be known"),
        (FIRST + "s = SplitToSequence<axis = 1>(x) e = SequenceErase(s, i) l = SequenceLength(e) y = Relu(x)",
         "only a run knows how many items"),
        ("y = SplitToSequence<axis = 0>(x) l = SequenceLength(y)", "it is a sequence, and engines give out"),
        (FIRST + "y = SequenceAt(x, i) l = Size(x)", "input 0, 'x', must be a sequence"),
        (FIRST + "s = SequenceConstruct(x) y = Relu(s) l = Size(x)", "is a sequence or absent, but must be a tensor"),
        ("i = Constant<value = int64 {2}>() s = SequenceConstruct(x) y = SequenceAt(s, i) l = Size(x)",
         "there is no place 2 in a sequence of 1"),
        ("o = Optional<type = float>() y = OptionalGetElement(o) l = Size(x)", "the optional value is absent"),
    ],
)  # fmt: skip
def test_what_the_import_cannot_know_is_refused(text, said):
    logger = Heard()
    parser = trt.OnnxParser(trt.Builder(logger).create_network(STRONG), logger)
    model = onnx.parser.parse_model(f"{HEAD}{text} }}")

    assert not parser.parse(model.SerializeToString()) and said in logger.errors[-1]
