"""Objects of the API take the attributes that they have, and no others, as those of the bindings do.

A script for TensorRT 8 that sets ``config.max_workspace_size`` would otherwise run with another limit, and nobody would
say so. What TensorRT 10 removed is told with what stands in its place.
Source of the names: the deprecation list of TensorRT 10's release notes.
"""

from __future__ import annotations

import functools
from typing import Any

from minitrt.api.enums import PyEnum
from minitrt.api.without_effect import notice, remember

_BY_NAME = "tensors have names: use "
REMOVED_IN_10 = {
    "max_workspace_size": "use set_memory_pool_limit(MemoryPoolType.WORKSPACE, bytes)",
    "max_batch_size": "the batch is a dimension of every input; give its sizes in an optimisation profile",
    "fp16_mode": "use IBuilderConfig.set_flag(BuilderFlag.FP16)",
    "int8_mode": "use IBuilderConfig.set_flag(BuilderFlag.INT8)",
    "strict_type_constraints": "type the network strongly",
    "min_timing_iterations": "use avg_timing_iterations",
    "build_cuda_engine": "use build_serialized_network and Runtime.deserialize_cuda_engine",
    "build_engine": "use build_serialized_network and Runtime.deserialize_cuda_engine",
    "add_convolution": "use add_convolution_nd",
    "add_deconvolution": "use add_deconvolution_nd",
    "add_pooling": "use add_pooling_nd",
    "add_padding": "use add_padding_nd",
    "add_fully_connected": "use add_matrix_multiply",
    "add_rnn_v2": "use add_loop",
    "num_bindings": _BY_NAME + "num_io_tensors",
    "get_binding_index": _BY_NAME + "the name itself",
    "get_binding_name": _BY_NAME + "get_tensor_name",
    "get_binding_shape": _BY_NAME + "get_tensor_shape",
    "get_binding_dtype": _BY_NAME + "get_tensor_dtype",
    "binding_is_input": _BY_NAME + "get_tensor_mode",
    "get_profile_shape": _BY_NAME + "get_tensor_profile_shape",
    "set_binding_shape": _BY_NAME + "set_input_shape",
    "set_shape_input": _BY_NAME + "set_tensor_address with the address of the elements",
    "execute": "use set_tensor_address and execute_async_v3",
    "execute_async": "use set_tensor_address and execute_async_v3",
    "execute_async_v2": "use set_tensor_address and execute_async_v3",
}


def sealed(owner: type) -> type:
    """The class, whose objects have no attributes but their own once they are made. Classes derived from it may."""
    made = owner.__init__

    @functools.wraps(made)
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        made(self, *args, **kwargs)
        self.__dict__["_is_made"] = type(self) is owner
        remember(self, owner.__name__)

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and self.__dict__.get("_is_made"):
            if not hasattr(owner, name):
                check(owner.__name__, name, value, self.__dict__)
            notice(self, owner.__name__, name, value)
        object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(without(owner.__name__, name))

    owner.__init__, owner.__setattr__, owner.__getattr__ = __init__, __setattr__, __getattr__
    return owner


def check(owner: str, name: str, value: Any, there: dict[str, Any]) -> None:
    """Raises: AttributeError for a name that is not there; TypeError for another kind of value than enumerations and
    integers that are."""
    if name not in there:
        raise AttributeError(without(owner, name))
    old = there[name]
    if isinstance(old, PyEnum) and not isinstance(value, type(old)):
        raise TypeError(f"{owner}.{name} must be a member of {type(old).__name__}, but is {value!r}")
    if isinstance(old, int) and not hasattr(value, "__index__"):
        raise TypeError(f"{owner}.{name} must be an integer, but is {value!r}")


def without(owner: str, name: str) -> str:
    """What is said of a missing attribute."""
    more = f": TensorRT 10 removed it; {REMOVED_IN_10[name]}" if name in REMOVED_IN_10 else ""
    return f"{owner!r} object has no attribute {name!r}{more}"
