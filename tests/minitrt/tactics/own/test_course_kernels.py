"""The course's kernels as tactics give what the reference gives, in a network with every kind of layer of ResNet-50."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.capstone import floats, splits
from benchmarks.engine.engines import halved
from benchmarks.models.networks import bottleneck_block
from benchmarks.models.writer import Writer
from minitrt import tactics
from minitrt.runtime.session import Session
from minitrt.tactics.geometry import Geometry
from tests.minitrt.engines import engine_of, layers_of

SHAPE = (2, 3, 16, 16)
X = np.random.default_rng(0).standard_normal(SHAPE).astype(np.float32)
OF_EACH_KIND = {
    "quantise": 1,
    "first_window": 1,
    "largest_of_nine": 1,
    "point_warpgroup": 6,
    "conv_warpgroup": 1,
    "conv_warpgroup_of_every_second": 1,
    "average": 1,
    "matmul_int8": 1,
}


def small(in_steps: bool):
    """The first layer, a pool, a block without and one with a stride, an average and a head."""
    w = Writer("small", 1, in_steps)
    x = w.input("input", SHAPE, SHAPE)
    x = w.max_pool(w.relu(w.conv(x, 16, 7, 2, "conv1"), "relu"), "maxpool")
    for stride, name in ((1, "plain"), (2, "strided")):
        x = bottleneck_block(w, x, 16, stride, name)
    y = w.classifier(w.global_average(x, "average"), 10, "fc")
    return w.finish(y, (SHAPE[0], 10))


def logits(model, *own) -> tuple[np.ndarray, Counter]:
    """What an engine gives, and how many layers each tactic runs."""
    with tactics.using(*own, only=True):
        engine = engine_of(model)
        (found,) = Session(engine).run({"input": X}).values()
    return found, Counter(layer["TacticName"].partition("@")[0] for layer in layers_of(engine))


def test_every_layer_in_int8_runs_on_the_courses_kernels_and_gives_the_references_logits():
    model = small(in_steps=True)
    found, names = logits(model, *splits.tactics())
    np.testing.assert_allclose(logits(model)[0], found, atol=1e-5)
    assert OF_EACH_KIND == {name: count for name, count in names.items() if name != "reference"}


def test_sums_that_are_split_over_blocks_come_to_the_same_logits():
    model = small(in_steps=True)
    found, names = logits(model, *splits.splits(everywhere=True))
    np.testing.assert_allclose(logits(model)[0], found, atol=1e-5)
    assert {"conv_split": 1, "point_split": 6, "conv_split_of_every_second": 1} == {
        name: count for name, count in names.items() if name != "reference"
    }


def test_sums_are_split_where_tiles_are_few_and_channels_many():
    g = Geometry(images=1, channels=512, size=(7, 7), out_channels=512, out_size=(7, 7), kernel=(3, 3))
    assert 16 == splits.shares_of(g, g.size)
    assert 1 == splits.shares_of(replace(g, images=128, size=(56, 56)), (56, 56))


@pytest.mark.parametrize(
    ("half", "tactic", "layers", "most"),
    [(True, floats.Product(), 5, 0.02), (True, floats.Taps(), 8, 0.02), (False, floats.Implicit(), 1, 1e-4)],
)
def test_what_runs_in_fp16_and_fp32_gives_what_the_engine_gives(half, tactic, layers, most):
    model = halved(small(in_steps=False)) if half else small(in_steps=False)
    found, names = logits(model, tactic)
    np.testing.assert_allclose(logits(model)[0], found, rtol=most, atol=most)
    assert layers == names[tactic.name]
