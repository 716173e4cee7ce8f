"""What intrinsics ask of numba's `cgutils`, for numba-cuda-mlir."""

from __future__ import annotations

from typing import Any

from simt.compilers.low_level.builder import Builder, Several, Value, item_pointer


def unpack_tuple(builder: Builder, value: Any, count: int | None = None) -> list[Any]:
    """The members of a tuple; of a struct, `count` of them."""
    return [builder.extract_value(value, i) for i in range(len(value) if count is None else count)]


def pack_array(builder: Builder, values: Any, ty: Any = None) -> Several:
    """A tuple of the values."""
    return Several(values)


def get_item_pointer(
    context: Any,
    builder: Builder,
    kind: Any,
    array: Any,
    indices: Any,
    wraparound: bool = False,
    boundscheck: Any = None,
) -> Value:
    """Where an element lies. array: what `context.make_array` made; indices: one an axis, none from the end.

    Raises: NotImplementedError for a wraparound.
    """
    if wraparound:
        raise NotImplementedError("get_item_pointer counts no index from the end: pass wraparound=False")
    return item_pointer(array, indices)
