"""Tensor maps: 128 bytes that describe a tensor in device memory to the copy engine. Encoded by the driver.

Source: CUDA driver API, "Tensor Map Object Management"; PTX ISA, "Tensors" (im2col mode).
"""

from __future__ import annotations

import numpy as np

from minitrt.device.driver import bindings, call
from minitrt.tactics.contract import TensorMap

MAP_BYTES = 128
TYPES = {"int8": "UINT8", "uint8": "UINT8", "float16": "FLOAT16", "float32": "FLOAT32", "int32": "INT32"}


class TensorMapError(ValueError):
    """A tensor that the copy engine cannot read. Attributes: reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"TensorMap: {reason}")
        self.reason = reason


def check(described: TensorMap) -> None:
    """Raise TensorMapError for what the driver would refuse with CUDA_ERROR_INVALID_VALUE and no reason."""
    if any(stride % 16 for stride in described.strides):
        raise TensorMapError(f"strides {described.strides} must be multiples of 16 bytes. Pad the channels to 16.")
    if described.im2col is None and any(not 1 <= size <= 256 for size in described.box):
        raise TensorMapError(f"box {described.box} must have 1 to 256 elements a dimension. Take a smaller tile.")
    if len(described.strides) != len(described.dims) - 1:
        raise TensorMapError(
            f"{len(described.dims)} dimensions have {len(described.dims) - 1} strides, the innermost none."
        )
    corners = described.im2col
    if corners and any(not -128 <= corner <= 127 for corner in (*corners["lower"], *corners["upper"])):
        raise TensorMapError(f"im2col corners {corners} must lie between -128 and 127. Use a direct kernel.")


def encode(described: TensorMap, address: int) -> np.ndarray:
    """The map of a tensor at `address`, as 16 uint64. Raises: TensorMapError, CudaError."""
    check(described)
    driver = bindings()
    kind = getattr(driver.CUtensorMapDataType, "CU_TENSOR_MAP_DATA_TYPE_" + TYPES[described.type])
    swizzle = f"SWIZZLE_{described.swizzle}B" if described.swizzle else "SWIZZLE_NONE"
    promotion = f"L2_{described.l2_promotion}B" if described.l2_promotion else "NONE"
    shape = [
        kind,
        len(described.dims),
        address,
        [driver.cuuint64_t(size) for size in described.dims],
        [driver.cuuint64_t(stride) for stride in described.strides],
    ]
    steps = [driver.cuuint32_t(step) for step in described.element_strides or (1,) * len(described.dims)]
    tail = [
        driver.CUtensorMapInterleave.CU_TENSOR_MAP_INTERLEAVE_NONE,
        getattr(driver.CUtensorMapSwizzle, "CU_TENSOR_MAP_" + swizzle),
        getattr(driver.CUtensorMapL2promotion, "CU_TENSOR_MAP_L2_PROMOTION_" + promotion),
        driver.CUtensorMapFloatOOBfill.CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
    ]
    if described.im2col:
        box = described.im2col
        lower, upper = list(box["lower"]), list(box["upper"])
        made = call("cuTensorMapEncodeIm2col", *shape, lower, upper, box["channels"], box["pixels"], steps, *tail)
    else:
        made = call("cuTensorMapEncodeTiled", *shape, [driver.cuuint32_t(size) for size in described.box], steps, *tail)
    return np.array([int(word) for word in made.opaque], np.uint64)
