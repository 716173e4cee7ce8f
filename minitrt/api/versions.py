"""TensorRT 10.16 and 11: by default the names of both are there; `minitrt.api = "11"`, or "10", leaves those of one.

    import minitrt as trt
    trt.api = "11"            # or the environment variable MINITRT_API=11, before Python starts

In 11 every network is strongly typed: calibrators, precision flags and their kin are names that do not exist.
Source of the names: the bindings' sources at 10.16 and 11.1.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

from minitrt.api import enums
from minitrt.face import HOMES

VERSIONS = {"10": "10.16.0", "11": "11.1.0", "both": "10.16.0"}
VARIABLE = "MINITRT_API"
CALIBRATING = "get_batch_size get_algorithm get_batch read_calibration_cache write_calibration_cache"
GONE_IN_11 = {
    "Builder": "platform_has_tf32 platform_has_fast_fp16 platform_has_fast_int8",
    "BuilderFlag": "FP16 BF16 INT8 OBEY_PRECISION_CONSTRAINTS PREFER_PRECISION_CONSTRAINTS REJECT_EMPTY_ALGORITHMS FP8"
    " WEIGHTLESS INT4 FP4",
    "IBuilderConfig": "int8_calibrator quantization_flags clear_quantization_flag set_quantization_flag"
    " get_quantization_flag set_calibration_profile get_calibration_profile algorithm_selector",
    "ICudaEngine": "has_implicit_batch_dimension create_execution_context_without_device_memory"
    " get_device_memory_size_for_profile device_memory_size weight_streaming_budget minimum_weight_streaming_budget",
    "IExecutionContext": "all_shape_inputs_specified",
    "ILayer": "precision precision_is_set reset_precision set_output_type output_type_is_set reset_output_type",
    "INormalizationLayer": "compute_precision",
    "IPluginRegistry": "plugin_creator_list get_plugin_creator",
    "ITensor": "dynamic_range set_dynamic_range reset_dynamic_range",
    "NetworkDefinitionCreationFlag": "EXPLICIT_BATCH",
    "OnnxParser": "parse_with_weight_descriptors supports_model",
    "PreviewFeature": "PROFILE_SHARING_0806 MULTIDEVICE_RUNTIME_10_16",
    "Refitter": "get_dynamic_range set_dynamic_range get_tensors_with_dynamic_range",
    "TacticSource": "CUBLAS CUBLAS_LT CUDNN",
}
CLASSES_GONE_IN_11 = """CalibrationAlgoType IAlgorithm IAlgorithmContext IAlgorithmIOInfo IAlgorithmSelector
IAlgorithmVariant IInt8Calibrator IInt8EntropyCalibrator IInt8EntropyCalibrator2 IInt8LegacyCalibrator
IInt8MinMaxCalibrator IInt8MSECalibrator IInt8PercentileCalibrator IStreamReader QuantizationFlag
SubGraphCollection""".split()
NEW_IN_11 = {
    "CollectiveOperation": "ALL_TO_ALL GATHER SCATTER",
    "IAttention": "causal_kind query_form key_value_form query_lengths key_value_lengths",
    "IBuilderConfig": "build_route all_build_routes",
    "IKVCacheUpdateLayer": "update_form update_lengths",
    "INetworkDefinition": "add_attention_v2",
}
CLASSES_NEW_IN_11 = "AttentionIOForm", "CausalMaskKind"

_state: dict[str, Any] = {"version": "both", "hidden": {}}


def version() -> str:
    """Which names there are: "10", "11" or "both"."""
    return _state["version"]


def choose(wanted: str) -> None:
    """Leave the names of one version, or of both. Raises: ValueError for another word."""
    if wanted not in VERSIONS:
        raise ValueError(f'minitrt.api is "10", "11" or "both", and not {wanted!r}')
    for owner, name in list(_state["hidden"]):
        setattr(owner, name, _state["hidden"].pop((owner, name)))
    _state["version"] = wanted
    hidden = {"11": (GONE_IN_11, CLASSES_GONE_IN_11), "10": (NEW_IN_11, CLASSES_NEW_IN_11)}
    members, classes = hidden.get(wanted, ({}, ()))
    module = sys.modules["minitrt"]
    for name in (*CLASSES_GONE_IN_11, *CLASSES_NEW_IN_11):
        vars(module).pop(name, None)
    for name in enums.VERSIONED:
        getattr(enums, name)._absent_ = frozenset(members.get(name, "").split())
    for name, gone in members.items():
        owner = loaded(name)
        for member in gone.split() if owner is not None and name not in enums.VERSIONED else ():
            holder = next((each for each in owner.__mro__ if member in vars(each)), None)
            if holder is not None:
                _state["hidden"][holder, member] = vars(holder)[member]
                delattr(holder, member)
    _state["classes"] = frozenset(classes)
    module.__version__ = VERSIONS[wanted]


def is_absent(name: str) -> bool:
    """Whether a name of the module belongs to the other version."""
    return name in _state.get("classes", ())


def loaded(name: str) -> type | None:
    """A class by its public name; None where what it needs (onnx) is not installed."""
    try:
        return getattr(importlib.import_module(f"minitrt.{HOMES[name]}"), name)
    except ImportError:
        return None
