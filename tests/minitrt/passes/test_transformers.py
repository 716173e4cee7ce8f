"""Transformers as exporters write them: heads, patches and normalisations come out as single operations."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import minitrt as trt
from benchmarks.models.transformers import bert_base, vit_small
from minitrt.api.enums import DataType
from minitrt.network.facts import Limits
from minitrt.network.lower import lower
from minitrt.passes import optimise
from tests.minitrt.engines import STRONG, Heard, expected_of, model_of, results_of
from tests.minitrt.passes.graphs import floats, lowered, node


def small(kind: str, int8: bool):
    """A model with one layer, and its input."""
    if kind == "bert":
        return bert_base(int8, batch=2, size=9, hidden=32, heads=2, depth=1, sample=9), floats(2, 9, 32)
    return vit_small(int8, batch=2, size=32, hidden=32, heads=2, depth=1, classes=10, sample=32), floats(2, 3, 32, 32)


def lowered_model(model):
    """The graph before any pass, with open sizes of 1 to 64."""
    logger = Heard()
    network = trt.Builder(logger).create_network(STRONG)
    assert trt.OnnxParser(network, logger).parse(model.SerializeToString()), logger.errors
    inputs = [network.get_input(index) for index in range(network.num_inputs)]
    limits = {x.name: [(n, n) if n != -1 else (1, 64) for n in x.shape] for x in inputs}
    return lower(network, Limits(limits))


def optimised(model):
    return optimise(lowered_model(model), lambda message: None)


@pytest.mark.parametrize("int8", [False, True])
@pytest.mark.parametrize("kind", ["bert", "vit"])
def test_an_encoder_layer_is_products_one_attention_and_normalisations(kind, int8):
    graph = optimised(small(kind, int8)[0])
    kinds = Counter(op.kind for op in graph.ops)

    assert kinds["attention"] == 1
    assert kinds["gemm"] == {"bert": 4, "vit": 6}[kind], "queries, keys and values are one product"
    assert kinds["norm"] == {"bert": 2, "vit": 3}[kind]
    assert not any(kinds[kind] for kind in ("conv", "softmax", "slice", "quantize", "dequantize"))
    (attention,) = (op for op in graph.ops if op.kind == "attention")
    assert attention.attrs["starts"] == [0, 32, 64] and len(set(attention.inputs)) == 1
    if int8:
        assert {value.dtype for value in (*attention.inputs, attention.output)} == {DataType.INT8}


@pytest.mark.parametrize("int8", [False, True])
@pytest.mark.parametrize("kind", ["bert", "vit"])
def test_it_computes_what_onnx_runtime_does(kind, int8):
    model, array = small(kind, int8)
    (expected,), (found,) = (run(model, {"input": array}).values() for run in (expected_of, results_of))

    away = np.abs(found - expected)
    assert away.max() < (0.2 if int8 else 1e-4) * np.abs(expected).max()
    assert away.mean() < (0.02 if int8 else 1e-5) * np.abs(expected).max()


HEADS = {"s4": np.array([2, 9, 2, 16]), "s3": np.array([2, 9, 32]), "root": np.float32(4)}
INPUTS = {name: (np.float32, (2, 9, 32)) for name in "qkv"}


def heads(q=(0, 2, 1, 3), k=(0, 2, 3, 1), v=(0, 2, 1, 3), back=(0, 2, 1, 3)):
    nodes = [node("Reshape", f"{name} s4", f"{name}4") for name in "qkv"]
    nodes += [node("Transpose", f"{n}4", f"{n}h", perm=list(p)) for n, p in zip("qkv", (q, k, v), strict=True)]
    nodes += [node("MatMul", "qh kh", "scores"), node("Div", "scores root", "scaled")]
    nodes += [node("Softmax", "scaled", "weights", axis=-1), node("MatMul", "weights vh", "context")]
    return [*nodes, node("Transpose", "context", "together", perm=list(back)), node("Reshape", "together s3", "y")]


def kinds_of(nodes, outputs=("y",)) -> Counter:
    graph = optimise(lowered(nodes, INPUTS, list(outputs), HEADS), lambda message: None)
    return Counter(op.kind for op in graph.ops)


def test_heads_are_recognised_by_where_elements_go():
    assert kinds_of(heads()) == {"attention": 1}


@pytest.mark.parametrize("outputs", [("y", "scores"), ("y", "weights"), ("y", "context")])
def test_what_somebody_else_reads_stays(outputs):
    assert not kinds_of(heads(), outputs)["attention"]


def test_each_part_of_a_joint_product_keeps_its_scale():
    graph = optimised(small("bert", True)[0])
    (attention,) = (op for op in graph.ops if op.kind == "attention")
    scales = np.unique(attention.inputs[0].scale)

    assert scales.size == 3


def test_heads_that_come_back_in_another_order_are_left_alone():
    nodes = [*heads()[:-2], node("Reshape", "context s3", "y")]

    assert not kinds_of(nodes)["attention"]


@pytest.mark.parametrize(
    ("heads_of", "sizes"), [((2, 2, 2), (16, 16, 8)), ((2, 1, 1), (16, 16, 16)), ((2, 2, 1), (16, 16, 16))]
)
def test_heads_of_other_sizes_or_counts_are_left_to_products(heads_of, sizes):
    """One operation has one size of heads, and as many of keys and values as of queries; products broadcast."""
    shapes = {n: (2, 9, h * s) for n, h, s in zip("qkv", heads_of, sizes, strict=True)}
    cuts = {f"{n}4s": np.array([2, 9, h, s]) for n, h, s in zip("qkv", heads_of, sizes, strict=True)}
    cuts |= {"s3": np.array([2, 9, 2 * sizes[2]]), "root": np.float32(4)}
    nodes = [node("Reshape", f"{name} {name}4s", f"{name}4") for name in "qkv"] + heads()[3:]
    inputs = {name: (np.float32, shape) for name, shape in shapes.items()}
    given = {name: floats(*shape) for name, shape in shapes.items()}
    model = model_of(nodes, inputs, ["y"], cuts)

    assert not [op for op in optimised(model).ops if op.kind == "attention"]
    (expected,), (found,) = (run(model, given).values() for run in (expected_of, results_of))
    np.testing.assert_allclose(found, expected, atol=1e-5)
