"""Random numbers of ONNX's operators: of the wanted shape and spread, and others at each node."""

from __future__ import annotations

import numpy as np
import onnx

from tests.minitrt.engines import model_of, results_of

NODE = onnx.helper.make_node


def test_each_node_draws_numbers_of_its_own_as_many_as_its_input_has():
    nodes = [
        NODE("RandomNormalLike", ["x"], ["a"], "first", mean=2.0, scale=0.5),
        NODE("RandomNormalLike", ["x"], ["b"], "second", mean=2.0, scale=0.5),
        NODE("RandomUniformLike", ["x"], ["c"], "third", low=3.0, high=4.0),
        NODE("RandomUniform", [], ["d"], "fourth", shape=[7, 2]),
    ]
    model = model_of(nodes, {"x": (np.float32, ["n", 50])}, ["a", "b", "c", "d"])
    found = results_of(model, {"x": np.zeros((40, 50), np.float32)})

    assert found["a"].shape == found["c"].shape == (40, 50) and found["d"].shape == (7, 2)
    assert abs(found["a"].mean() - 2) < 0.1 and abs(found["a"].std() - 0.5) < 0.1
    assert not np.any(found["a"] == found["b"]) and 3 <= found["c"].min() < found["c"].max() < 4
