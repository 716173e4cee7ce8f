"""Arrays and numbers as JSON, for the way into the jail and out of it. Nothing is pickled."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np


def array_as_json(array: np.ndarray) -> dict[str, Any]:
    """An array with its bytes."""
    content = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
    return {**geometry_as_json(array), "bytes": content}


def geometry_as_json(array: np.ndarray) -> dict[str, Any]:
    """An array without its bytes."""
    return {"dtype": array.dtype.str, "shape": list(array.shape)}


def array_of(document: dict[str, Any]) -> np.ndarray:
    """An array out of JSON. Raises ValueError, TypeError or KeyError for anything that is no array of numbers."""
    dtype = np.dtype(str(document["dtype"]))
    if dtype.kind not in "biufc":
        raise ValueError(f"arrays of {dtype} do not travel")
    shape = tuple(int(extent) for extent in document["shape"])
    return np.frombuffer(base64.b64decode(document["bytes"], validate=True), dtype).reshape(shape).copy()


def number_as_json(value: Any) -> dict[str, Any]:
    """A Python or NumPy number."""
    if isinstance(value, np.generic):
        return {"number": value.item(), "dtype": value.dtype.str}
    return {"number": value, "dtype": ""}


def number_of(document: dict[str, Any]) -> Any:
    """A number out of JSON."""
    return np.dtype(document["dtype"]).type(document["number"]) if document["dtype"] else document["number"]
