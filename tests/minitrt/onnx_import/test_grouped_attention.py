"""GroupQueryAttention of ONNX Runtime's domain: prompts, steps with a cache, caches that are not full."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

from minitrt.runtime.session import Session
from tests.minitrt.engines import Heard, engine_of, expected_of, model_of, parsed

HEADS, GROUPS, SIZE = 4, 2, 16
CASES = {  # batch, new tokens, rows of the cache, keys in all, keys of each sequence less one, attributes
    "a prompt": (2, 5, 0, 5, [4, 4], {}),
    "a step": (2, 1, 7, 8, [7, 7], {}),
    "sequences of two lengths": (2, 1, 7, 8, [7, 5], {}),
    "several tokens": (1, 3, 6, 9, [8], {}),
    "a cache that is not full": (1, 1, 20, 8, [7], {}),
    "a prompt into a cache": (1, 4, 20, 4, [3], {}),
    "a window": (1, 6, 0, 6, [5], {"local_window_size": 3}),
    "a window and a cache": (1, 1, 9, 10, [9], {"local_window_size": 3}),
    "interleaved pairs": (2, 1, 7, 8, [7, 7], {"rotary_interleaved": 1}),
    "without positions": (2, 1, 7, 8, [7, 7], {"do_rotary": 0}),
    "a softcap": (2, 1, 7, 8, [7, 7], {"softcap": 5.0}),
    "a scale": (2, 1, 7, 8, [7, 7], {"scale": 0.3}),
}


def case(name: str, packed: bool = False):
    """A model, and what it is given."""
    batch, new, held, total, lengths, attrs = CASES[name]
    rng, feeds = np.random.default_rng(0), {}
    widths = (
        {"q": (HEADS + 2 * GROUPS) * SIZE} if packed else {"q": HEADS * SIZE, "k": GROUPS * SIZE, "v": GROUPS * SIZE}
    )
    for each, width in widths.items():
        feeds[each] = rng.standard_normal((batch, new, width)).astype(np.float32)
    for each in ("past_k", "past_v"):
        feeds[each] = rng.standard_normal((batch, GROUPS, held, SIZE)).astype(np.float32)
    feeds |= {"lengths": np.array(lengths, np.int32), "total": np.array(total, np.int32)}
    angles = np.arange(32)[:, None] / 10000 ** (np.arange(SIZE // 2) / (SIZE // 2))
    tables = {"cos": np.cos(angles).astype(np.float32), "sin": np.sin(angles).astype(np.float32)}
    inputs = ["q", "" if packed else "k", "" if packed else "v", "past_k", "past_v", "lengths", "total", "cos", "sin"]
    attrs = {"do_rotary": 1, "num_heads": HEADS, "kv_num_heads": GROUPS, **attrs}
    node = onnx.helper.make_node(
        "GroupQueryAttention", inputs, ["y", "keys", "values"], domain="com.microsoft", **attrs
    )
    open_axes = {"past_k": ("b", GROUPS, "p", SIZE), "past_v": ("b", GROUPS, "p", SIZE), "lengths": ("b",), "total": ()}
    shapes = {n: (a.dtype, open_axes.get(n, ("b", "s", *a.shape[2:]))) for n, a in feeds.items()}
    model = model_of([node], shapes, ["y", "keys", "values"], tables)
    model.opset_import.append(onnx.helper.make_opsetid("com.microsoft", 1))
    return model, feeds


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_it_is_onnx_runtimes(name, packed):
    model, feeds = case(name, packed)
    logger = Heard()
    engine = engine_of(model, logger, **{n: (a.shape,) * 3 for n, a in feeds.items() if n != "total"})
    found, expected = Session(engine, logger).run(feeds), expected_of(model, feeds)

    np.testing.assert_allclose(found["y"], expected["y"], atol=1e-5)
    for each in ("keys", "values"):  # what lies behind a sequence's end is nobody's
        there = np.arange(expected[each].shape[2]) <= np.array(feeds["lengths"])[:, None]
        assert found[each].shape == expected[each].shape
        np.testing.assert_allclose(
            *(np.where(there[:, None, :, None], x[each], 0) for x in (found, expected)), atol=1e-5
        )


def test_a_form_that_is_not_there_is_refused_by_its_name():
    model, _ = case("a step")
    model.graph.node[0].attribute.append(onnx.helper.make_attribute("smooth_softmax", 1))
    logger = Heard()
    with pytest.raises(AssertionError):
        parsed(model, logger)

    assert "GroupQueryAttention with smooth_softmax is not supported: export it without" in logger.errors[0]
