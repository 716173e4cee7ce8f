"""Options of a build: caches, limits, sources, selectors, and the choice of layouts."""

from __future__ import annotations

import numpy as np
import pytest

import minitrt as trt
from minitrt.builder.select import Selector
from minitrt.graph.ir import LINEAR, NHWC16, Graph, Op, Value
from minitrt.tactics.contract import Tactic
from tests.minitrt.engines import Heard, model_of, parsed
from tests.minitrt.operations import H200
from tests.minitrt.passes.graphs import node


def config_of(target=None):
    logger = Heard()
    config = trt.Builder(logger).create_builder_config()
    config.target = target
    return config, logger


def test_a_timing_cache_is_bytes_and_equal_caches_are_equal_bytes():
    config, _ = config_of(H200)
    cache = config.create_timing_cache(b"")
    cache.cache.update("conv", "fast", 10.0)
    cache.cache.update("conv", "slow", 20.0)
    again = config.create_timing_cache(cache.serialize())

    assert again.serialize() == cache.serialize()
    (key,) = again.queryKeys()
    assert again.query(key).timingMSec == pytest.approx(0.01)
    assert again.query(trt.TimingCacheKey.parse(str(key))).tacticHash == again.query(key).tacticHash != 0
    assert again.query(trt.TimingCacheKey.parse("00")).tacticHash == 0


def test_an_edited_timing_cache_forces_a_tactic():
    config, _ = config_of(H200)
    cache = config.create_timing_cache(b"")
    cache.cache.update("conv", "fast", 10.0)
    cache.cache.update("conv", "slow", 20.0)
    (key,) = cache.queryKeys()
    from minitrt.tactics.contract import tactic_id

    assert cache.update(key, trt.TimingCacheValue(tactic_id("slow"), 0.001))
    assert cache.query(key).tacticHash == tactic_id("slow")
    assert cache.update(key, trt.TimingCacheValue(42, 0.001)) is False


def test_a_cache_of_another_device_is_refused_unless_told_to_ignore_it():
    foreign, _ = config_of(H200)
    cache = foreign.create_timing_cache(b"")
    config, logger = config_of(None)

    assert config.set_timing_cache(cache, False) is False
    assert "timing cache was made for" in logger.errors[-1]
    assert config.set_timing_cache(cache, True) is True


def test_rubbish_is_no_timing_cache():
    config, logger = config_of()

    assert config.create_timing_cache(b"rubbish") is None
    assert logger.errors[-1].startswith("timing cache: ")


def test_options_have_tensorrts_defaults_and_reset_restores_them():
    config, _ = config_of()
    defaults = {
        "builder_optimization_level": 3,
        "avg_timing_iterations": 1,
        "profiling_verbosity": trt.ProfilingVerbosity.LAYER_NAMES_ONLY,
        "engine_capability": trt.EngineCapability.STANDARD,
        "max_aux_streams": -1,
    }
    assert {name: getattr(config, name) for name in defaults} == defaults
    assert config.get_flag(trt.BuilderFlag.TF32)
    config.builder_optimization_level = 0
    config.set_flag(trt.BuilderFlag.REFIT)
    config.set_memory_pool_limit(trt.MemoryPoolType.WORKSPACE, 1 << 20)
    config.reset()

    assert (config.builder_optimization_level, config.get_flag(trt.BuilderFlag.REFIT)) == (3, False)
    assert config.get_memory_pool_limit(trt.MemoryPoolType.WORKSPACE) > 1 << 30


def test_pools_of_dla_have_the_sizes_that_tensorrt_says_they_have_on_every_gpu():
    config, _ = config_of()
    pools = [getattr(trt.MemoryPoolType, f"DLA_{name}") for name in ("MANAGED_SRAM", "LOCAL_DRAM", "GLOBAL_DRAM")]

    assert [0, 1024, 512] == [config.get_memory_pool_limit(pool) >> 20 for pool in pools]


def test_dla_is_refused_by_name():
    config, logger = config_of()
    config.set_memory_pool_limit(trt.MemoryPoolType.DLA_MANAGED_SRAM, 1)

    assert "DLA" in logger.errors[-1]
    config.DLA_core = 1
    assert "core 1" in logger.errors[-1] and -1 == config.DLA_core
    assert config.set_tactic_sources(1 << 9) is False


@pytest.mark.filterwarnings("ignore:.*removed in TensorRT 11:DeprecationWarning")
def test_an_algorithm_selector_is_asked_for_every_layer_and_told_what_was_taken():
    class Selector(trt.IAlgorithmSelector):
        def __init__(self):
            super().__init__()
            self.asked, self.reported = [], []

        def select_algorithms(self, context, choices):
            self.asked.append((context.name, context.num_inputs, len(choices)))
            return [0]

        def report_algorithms(self, contexts, choices):
            self.reported = [(c.name, a.algorithm_variant.tactic != 0) for c, a in zip(contexts, choices, strict=True)]

    logger = Heard()
    model = model_of([node("Relu", "x", "r"), node("Softmax", "r", "y")], {"x": (np.float32, (2, 3))}, ["y"])
    builder, network, config = parsed(model, logger)
    config.algorithm_selector = selector = Selector()

    assert builder.build_serialized_network(network, config) is not None
    assert selector.asked == [("r", 1, 1), ("y", 1, 1)]
    assert selector.reported == [("r", True), ("y", True)]


def tactic(name: str, inside: str, outside: str) -> Tactic:
    return Tactic(name, lambda op: [], (inside,), (outside,))


def chain(*choices) -> Selector:
    """A selection over a chain of operations, each with (microseconds, tactic) candidates."""
    values = [Value(f"v{i}", trt.float32, (1, 16, 64, 64)) for i in range(len(choices) + 1)]
    ops = [Op("pool", f"op{i}", [values[i]], [values[i + 1]]) for i in range(len(choices))]
    timed = [sorted(each, key=lambda pair: pair[0]) for each in choices]
    return Selector(Graph("g", ops, values[:1], values[-1:]), timed, lambda value, made, wanted: True)


def test_a_slower_tactic_wins_where_it_saves_two_reformats():
    linear, nhwc = (lambda name: tactic(name, LINEAR, LINEAR)), (lambda name: tactic(name, NHWC16, NHWC16))
    both = [(20.0, nhwc("fast")), (90.0, linear("slow"))]
    alone = [(5.0, linear("plain")), (6.0, nhwc("wide"))]
    selection = chain(both, alone, both).best()

    assert [selection.timed(i)[1].name for i in range(3)] == ["fast", "wide", "fast"]


def test_two_neighbours_change_their_layout_together():
    """Each alone would lose by changing; from a start in that layout the descent finds it."""
    pair = [(10.0, tactic("linear", LINEAR, LINEAR)), (8.0, tactic("nhwc", NHWC16, NHWC16))]
    ends = [(10.0, tactic("in", LINEAR, NHWC16)), (10.0, tactic("stay", LINEAR, LINEAR))]
    selection = chain(
        ends, pair, pair, [(1.0, tactic("out", NHWC16, LINEAR)), (1.0, tactic("plain", LINEAR, LINEAR))]
    ).best()

    assert [selection.timed(i)[1].name for i in range(4)] == ["in", "nhwc", "nhwc", "out"]


def test_a_layout_that_no_kernel_converts_to_is_never_chosen():
    selector = chain([(1.0, tactic("strange", "strange", "strange")), (50.0, tactic("plain", LINEAR, LINEAR))])
    selector.can_reformat = lambda value, made, wanted: False

    assert selector.best().timed(0)[1].name == "plain"


@pytest.mark.parametrize("flag", ["SPARSE_WEIGHTS", "TF32", "STRICT_NANS", "GPU_FALLBACK", "BF16", "DIRECT_IO"])
def test_a_flag_that_does_nothing_says_so_once(flag):
    logger = Heard()
    config = trt.Builder(logger).create_builder_config()
    for _ in range(2):
        config.set_flag(trt.BuilderFlag[flag])

    (said,) = logger.of(trt.ILogger.WARNING)
    assert f"BuilderFlag.{flag} has no effect: " in said


def test_bytes_that_are_no_timing_cache_are_a_sentence():
    logger = Heard()
    config = trt.Builder(logger).create_builder_config()

    for junk in (b"junk", b"[1]", b"{}"):
        assert config.create_timing_cache(junk) is None
    assert 3 == sum("these bytes are no timing cache" in text for text in logger.errors)
