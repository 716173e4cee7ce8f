"""Builds with a timing cache of an earlier one, on a GPU that is not there."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

import minitrt as trt
from minitrt.tactics import tuner
from tests.minitrt.engines import Heard, model_of, parsed
from tests.minitrt.stand_in import DEVICE, install

NODES = [onnx.helper.make_node("Softmax", ["x"], ["s"], "s"), onnx.helper.make_node("Relu", ["s"], ["y"], "relu")]


def built(cache: bytes, disabled: bool) -> tuple[bytes, bytes]:
    """(plan, timing cache)"""
    model, logger = model_of(NODES, {"x": (np.float32, (6, 7))}, ["y"], {}), Heard()
    builder, network, config = parsed(model, logger)
    config.target = DEVICE
    config.set_timing_cache(config.create_timing_cache(cache), False)
    if disabled:
        config.set_flag(trt.BuilderFlag.DISABLE_COMPILATION_CACHE)
    plan = builder.build_serialized_network(network, config)
    assert plan is not None, logger.errors
    return bytes(plan), bytes(config.get_timing_cache().serialize())


@pytest.mark.parametrize("disabled", [False, True])
def test_a_build_with_the_cache_of_another_compiles_nothing_unless_code_was_not_to_be_kept(monkeypatch, disabled):
    install(monkeypatch)
    compile_all, asked = tuner.cubins, []
    monkeypatch.setattr(tuner, "cubins", lambda wanted, *a, **k: asked.extend(wanted) or compile_all(wanted, *a, **k))
    plan, cache = built(b"", disabled)
    before = len(asked)
    again, _ = built(cache, disabled)

    assert before > 0 and plan == again
    assert (len(asked) > before) == disabled
