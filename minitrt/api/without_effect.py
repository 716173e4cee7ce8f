"""Settings of the API that change nothing here: an object says so, once, when one is set to what it was not at first.

What has an effect, or is refused, is not listed. Settings that are a member of an enumeration, given to a method, are
in the second table.
"""

from __future__ import annotations

import warnings
from typing import Any

ONE_STREAM = "an engine runs in the stream that it is given"
ALLOCATOR = "memory comes from the CUDA driver, or, without a GPU, from NumPy"
METADATA = "the inspector's Metadata names the layers that a kernel computes"
THREADS = "kernels are compiled by as many threads as there are processors"
TILING = "no chain of layers is tiled for the L2 cache"
FILES = "no file is written while an engine is loaded"
DLA = "there is no DLA: every layer runs on the GPU"
SETTINGS = {
    "EngineInspector": {"error_recorder": "the recorder of its engine hears what an inspector refuses"},
    "Builder": {"gpu_allocator": ALLOCATOR, "max_threads": THREADS},
    "IAttention": {
        "decomposable": "without a kernel for all of it, attention is always computed in parts",
        "metadata": METADATA,
        "num_ranks": "a layer runs on one GPU",
    },
    "IBuilderConfig": {
        "avg_timing_iterations": "a tactic is timed until its time is certain",
        "default_device_type": DLA,
        "engine_capability": "there is one runtime, and every engine is one for it",
        "l2_limit_for_tiling": TILING,
        "max_aux_streams": ONE_STREAM,
        "plugins_to_serialize": "a plan holds the state of its plugins, and no libraries",
        "profile_stream": "tactics are timed in a stream of the builder's",
        "remote_auto_tuning_config": "tactics are timed on the GPU that is here",
        "runtime_platform": "a plan names no operating system, and is refused by other GPUs alone",
        "tiling_optimization_level": TILING,
    },
    "IExecutionContext": {
        "debug_sync": "set a profiler, which waits for each layer, or mark debug tensors",
        "nvtx_verbosity": "there are no NVTX ranges",
        "persistent_cache_limit": "no part of the L2 cache is set aside",
        "temporary_allocator": ALLOCATOR,
        "unfused_tensors_debug_state": "a debug tensor is never fused away: mark those that you want to see",
    },
    "IOptimizationProfile": {"extra_memory_target": "an engine takes the memory that its largest sizes need"},
    "IPluginRegistry": {
        "error_recorder": "the registry answers None and False, and raises nothing that could be recorded",
        "parent_search_enabled": "there is one registry",
    },
    "Refitter": {"max_threads": "one thread refits", "weights_validation": "new weights are always checked"},
    "Runtime": {
        "DLA_core": DLA,
        "gpu_allocator": ALLOCATOR,
        "max_threads": "one thread loads an engine",
        "temporary_directory": FILES,
        "tempfile_control_flags": FILES,
    },
}
NARROW = "minitrt computes in FP32, FP16 and INT8"
PRECISION = "the types of layers are as they are set, or as BuilderFlag.FP16 and INT8 allow"
FLAGS = {
    **dict.fromkeys(("BF16", "FP8", "INT4", "FP4"), NARROW),
    **dict.fromkeys(("OBEY_PRECISION_CONSTRAINTS", "PREFER_PRECISION_CONSTRAINTS"), PRECISION),
    "TF32": "FP32 is computed in full precision",
    "DEBUG": "there is no synchronising of every layer; set a profiler, or mark debug tensors",
    "GPU_FALLBACK": "there is no DLA, and every layer runs on the GPU",
    "SPARSE_WEIGHTS": "no kernel takes 2:4 sparse weights",
    "SAFETY_SCOPE": "there is no safety runtime",
    "DIRECT_IO": "inputs and outputs have the formats that they are allowed",
    "REJECT_EMPTY_ALGORITHMS": "an algorithm selector that leaves nothing always ends the build",
    "ERROR_ON_TIMING_CACHE_MISS": "what the timing cache lacks is timed",
    "EDITABLE_TIMING_CACHE": "every timing cache may be edited",
    "STRICT_NANS": "NaN is kept by every kernel",
    "MONITOR_MEMORY": "memory is not recorded",
    "DISTRIBUTIVE_INDEPENDENCE": "no product depends on how batches are cut",
}
UINT8 = "UINT8 with zero points is computed in floats, without a flag"
MEMBERS = {
    **{f"BuilderFlag.{name}": why for name, why in FLAGS.items()},
    "PreviewFeature.PROFILE_SHARING_0806": "contexts always share profiles",
    "PreviewFeature.ALIASED_PLUGIN_IO_10_03": "no plugin's output may lie on its input",
    "PreviewFeature.RUNTIME_ACTIVATION_RESIZE_10_10": "the memory of activations never depends on a run's sizes",
    "PreviewFeature.MULTIDEVICE_RUNTIME_10_16": "an engine runs on one GPU",
    "MemoryPoolType.TACTIC_DRAM": "no tactic takes memory of its own while it is timed; bound WORKSPACE",
    "OnnxParserFlag.NATIVE_INSTANCENORM": "InstanceNormalization is always a layer of its own, and no plugin",
    "OnnxParserFlag.ENABLE_UINT8_AND_ASYMMETRIC_QUANTIZATION_DLA": UINT8,
    "OnnxParserFlag.REPORT_CAPABILITY_DLA": DLA,
    "OnnxParserFlag.ENABLE_PLUGIN_OVERRIDE": "a plugin never stands in for an operator that the parser knows",
    "OnnxParserFlag.ADJUST_FOR_DLA": DLA,
    "SerializationFlag.EXCLUDE_LEAN_RUNTIME": "no plan holds a runtime",
    "SerializationFlag.INCLUDE_REFIT": "a plan that can be refitted stays so",
}


def remember(one: Any, owner: str) -> None:
    """Keep what the settings of a new object are at first."""
    one.__dict__["_at_first"] = {name: getattr(one, name) for name in SETTINGS.get(owner, {})}


def notice(one: Any, owner: str, name: str, value: Any) -> None:
    """Say that a setting has no effect, where it is none, and is set to something else."""
    why = SETTINGS.get(owner, {}).get(name)
    if why is not None and value != one.__dict__["_at_first"][name]:
        say(one, f"{owner}.{name}", why)


def notice_member(one: Any, member: Any) -> None:
    """The same for a member of an enumeration that a method was given."""
    if str(member) in MEMBERS:
        say(one, str(member), MEMBERS[str(member)])


def say(one: Any, what: str, why: str) -> None:
    """Once an object: to its logger, or, where it has none, as a warning of Python's."""
    said = one.__dict__.setdefault("_said", set())
    if what in said:
        return
    said.add(what)
    report, text = one.__dict__.get("_report"), f"{what} has no effect: {why}"
    if report is not None:
        report.warning(text)
    else:
        warnings.warn(text, UserWarning, stacklevel=4)
