"""The trained decoder as an ONNX model with its cache as inputs and outputs: the engine says what NumPy says."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

pytest.importorskip("onnx", reason="the extra engine is not installed: these engines are built from ONNX files")

import minitrt as trt
from benchmarks.models import decoder_onnx
from minitrt.runtime.session import Session
from minitrt.samples import decoder

PROMPT, N = "Each thr", 12  # no two words are near a tie on the way
NET = decoder.network()
Step = Callable[[dict[str, np.ndarray]], dict[str, np.ndarray]]


def session(**options: object) -> Session:
    """An engine of the model, for caches of 0 to 1,023 places."""
    builder = trt.Builder(logger := trt.Logger(trt.Logger.ERROR))
    network, config = builder.create_network(0), builder.create_builder_config()
    assert trt.OnnxParser(network, logger).parse(decoder_onnx.model(NET).SerializeToString())
    profile = builder.create_optimization_profile()
    for name in decoder_onnx.CACHES:
        profile.set_shape(name, (0, decoder.HEAD), (64, decoder.HEAD), (decoder.MOST_PLACES - 1, decoder.HEAD))
    config.add_optimization_profile(profile)
    for name, value in options.items():
        setattr(config, name, value)
    return Session(trt.Runtime(logger).deserialize_cuda_engine(builder.build_serialized_network(network, config)))


def told(step: Step) -> tuple[list[int], np.ndarray]:
    """The most likely tokens behind the prompt, and the last logits: what comes out as cache goes in again."""
    cache, tokens = decoder_onnx.empty(), [int(token) for token in decoder.tokens_of(PROMPT)]
    for place in range(len(tokens) + N - 1):
        at = {"token": np.array([tokens[place]], np.int64), "place": np.array([place], np.int64)}
        found = step(at | cache)
        cache = {name: found[f"{name}.out"] for name in decoder_onnx.CACHES}
        if place + 1 == len(tokens):
            tokens.append(int(found["logits"].argmax()))
    return tokens[-N:], found["logits"][0]


def held_to_numpy(step: Step) -> None:
    """The same tokens, and logits that differ by what float16 between the layers makes of them."""
    tokens, logits = told(step)
    text = decoder.Text(NET)
    for token in [*decoder.tokens_of(PROMPT), *tokens[:-1]]:
        expected = text.add(int(token))

    assert list(decoder.generate(NET, PROMPT, N)) == tokens
    np.testing.assert_allclose(logits, expected, atol=0.02)


def test_the_engine_says_what_numpy_says_with_its_cache_as_inputs_and_outputs():
    held_to_numpy(session(target=None).run)


def test_onnx_runtime_reads_the_same_model_and_says_the_same():
    runtime = pytest.importorskip("onnxruntime")
    there = runtime.InferenceSession(decoder_onnx.model(NET).SerializeToString(), providers=["CPUExecutionProvider"])
    names = [output.name for output in there.get_outputs()]

    held_to_numpy(lambda feeds: dict(zip(names, there.run(None, feeds), strict=True)))


@pytest.mark.gpu
def test_the_engine_on_a_gpu_says_what_numpy_says():
    held_to_numpy(session().run)


def test_steps_and_scales_are_unpacked_as_they_were_packed():
    weights = np.random.default_rng(0).normal(0, 1, (4, 64)).astype(np.float32)
    packed, scales = decoder.packed(weights)
    found = decoder.unpacked({"one.packed": packed, "one.scales": scales}, "one")

    np.testing.assert_allclose(found, weights, atol=0.51 * float(scales.max()))
    assert (2.9e6, (128, 512)) == (
        round(sum(r * c for r, c in decoder.MATRICES.values()) / 1e5) * 1e5,
        NET["words"].shape,
    )
