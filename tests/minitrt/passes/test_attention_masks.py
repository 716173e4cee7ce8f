"""Attention behind a mask and of open length, as exporters spell it, is one operation and computes what it did."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from minitrt.passes import optimise
from minitrt.runtime.session import Session
from tests.minitrt.engines import Heard, engine_of, expected_of
from tests.minitrt.passes.exported import HIDDEN, bert_like, gpt_like, sdpa_like
from tests.minitrt.passes.graphs import floats
from tests.minitrt.passes.test_transformers import lowered_model

SIZES = ((1, 1), (2, 9), (4, 32))
MODELS = {"bert": lambda: bert_like(2), "gpt": gpt_like, "sdpa": sdpa_like}


def feeds(kind: str, batch: int, tokens: int) -> dict[str, np.ndarray]:
    """Every sequence but the first is shorter than the longest."""
    lengths = np.maximum(tokens - 3 * np.arange(batch), 1)
    mask = np.arange(tokens) < lengths[:, None]
    x = {"x": floats(batch, tokens, HIDDEN)}
    return x if kind == "gpt" else x | {"mask": mask if kind == "sdpa" else mask.astype(np.int64)}


def session_of(kind: str) -> Session:
    smallest, middle, largest = SIZES
    triple = {"x": [(*size, HIDDEN) for size in SIZES], "mask": [smallest, middle, largest]}
    model = MODELS[kind]()
    return Session(engine_of(model, **{value.name: triple[value.name] for value in model.graph.input}))


@pytest.mark.parametrize("kind", MODELS)
def test_every_product_of_heads_becomes_one_attention(kind):
    kinds = Counter(op.kind for op in optimise(lowered_model(MODELS[kind]()), lambda message: None).ops)

    assert kinds["attention"] == (2 if kind == "bert" else 1)
    assert not kinds["softmax"]
    assert kinds["gemm"] == (4 if kind == "bert" else 2), "queries, keys and values are one product"


@pytest.mark.parametrize("kind", MODELS)
def test_at_every_size_it_computes_what_onnx_runtime_does(kind):
    session = session_of(kind)
    for batch, tokens in SIZES:
        given = feeds(kind, batch, tokens)
        (expected,), (found,) = (run(given).values() for run in (lambda f: expected_of(MODELS[kind](), f), session.run))

        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_a_sequence_without_a_token_is_treated_as_its_softmax_did():
    for kind in ("bert", "sdpa"):
        given = feeds(kind, 2, 9)
        given["mask"][1] = 0
        (expected,), (found,) = (
            run(given).values() for run in (lambda f, k=kind: expected_of(MODELS[k](), f), session_of(kind).run)
        )

        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("change", ["scores", "mask of one element a query", "a mask that grows with something else"])
def test_a_mask_that_is_none_leaves_the_parts_as_they_are(change):
    model = bert_like()
    if change == "scores":
        model.graph.output.add().name = "layer.0.masked"
    elif change == "mask of one element a query":
        (axes,) = (each for each in model.graph.initializer if each.name == "axes")
        axes.raw_data = np.array([1, 3]).tobytes()
    else:
        node = next(each for each in model.graph.node if each.name == "layer.0.masked")
        node.input[1] = "layer.0.scaled"
    graph = optimise(lowered_model(model), lambda message: None)

    assert not [op for op in graph.ops if op.kind == "attention"]


def test_the_log_says_which_mask_an_attention_has():
    logger = Heard()
    engine_of(bert_like(), logger, x=[(*size, HIDDEN) for size in SIZES], mask=SIZES)

    assert [message for _, message in logger.messages if "one attention of 2 heads behind a mask, bias" in message]
