"""How often a build holds its weights: the memory that Python and NumPy ask for, as a multiple of the file."""

from __future__ import annotations

import tracemalloc

import numpy as np
import onnx

import minitrt as trt
from tests.minitrt.engines import STRONG, Heard, model_of

WIDE = 2048


def test_a_model_is_parsed_and_built_within_three_times_its_file(tmp_path):
    rng = np.random.default_rng(0)
    weights = {name: rng.standard_normal((WIDE, WIDE)).astype(np.float32) for name in "uvw"}
    nodes = [onnx.helper.make_node("MatMul", [a, b], [c]) for a, b, c in ("xup", "pvq", "qwy")]
    path = tmp_path / "net.onnx"
    onnx.save(model_of(nodes, {"x": (np.float32, (1, WIDE))}, ["y"], weights), path)
    del weights
    logger = Heard()
    builder = trt.Builder(logger)
    network, config = builder.create_network(STRONG), builder.create_builder_config()
    config.target = None
    tracemalloc.start()
    parser = trt.OnnxParser(network, logger)
    assert parser.parse_from_file(str(path))
    parsed = tracemalloc.get_traced_memory()[1] / path.stat().st_size
    data = builder.build_serialized_network(network, config)
    built = tracemalloc.get_traced_memory()[1] / path.stat().st_size
    tracemalloc.stop()

    assert len(data) > 0.99 * path.stat().st_size
    assert parsed < 2.1 and built < 3.1
