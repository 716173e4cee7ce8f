"""Pinned and mapped arrays that tell when host code reads or writes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from simt.cuda_api.device_array import HostAndDeviceArray

Touch = Callable[[np.ndarray, bool], None]  # (array, does the host write it?)


class _Telling:
    """What makes an ndarray tell. touch: whom; views share it, results of arithmetic are plain arrays."""

    touch: Touch | None = None

    def __array_finalize__(self, parent: Any) -> None:
        self.touch = getattr(parent, "touch", None)

    def _tell(self, part: Any, writes: bool) -> None:
        if self.touch is not None and isinstance(part, np.ndarray):
            self.touch(part, writes)

    def __getitem__(self, index: Any) -> Any:
        part = super().__getitem__(index)
        if not isinstance(part, np.ndarray) or not np.may_share_memory(plain(part), plain(self)):
            self._tell(_cells(self, index), False)
            return plain(part)
        return part

    def __setitem__(self, index: Any, value: Any) -> None:
        self._tell(_cells(self, index), True)
        plain(self)[index] = _read(value)

    def __iter__(self):
        self._tell(self, False)
        return iter(plain(self))

    def __array_ufunc__(self, ufunc, method: str, *inputs: Any, out: tuple = (), **options: Any) -> Any:
        read = tuple(_read(one) for one in inputs)
        for one in out:
            if isinstance(one, _Telling):
                one._tell(one, True)
        if out:
            options["out"] = tuple(plain(one) for one in out)
        result = getattr(ufunc, method)(*read, **options)
        return out[0] if out else result

    def __array_function__(self, function, types, args: tuple, kwargs: dict) -> Any:
        if function is np.copyto:
            target = args[0]
            if isinstance(target, _Telling):
                target._tell(target, True)
            return function(plain(target), *map(_read, args[1:]), **kwargs)
        return function(*(_read_deep(one) for one in args), **{key: _read_deep(one) for key, one in kwargs.items()})

    def fill(self, value: Any) -> None:
        """As of any array."""
        self._tell(self, True)
        plain(self).fill(value)

    def copy(self, order: str = "C") -> np.ndarray:
        """A plain copy."""
        return np.array(_read(self), order=order)

    def astype(self, *args: Any, **options: Any) -> np.ndarray:
        """A plain copy of another type."""
        return _read(self).astype(*args, **options)

    def tolist(self) -> list:
        """As of any array."""
        return _read(self).tolist()

    def tobytes(self, *args: Any) -> bytes:
        """As of any array."""
        return _read(self).tobytes(*args)

    def __repr__(self) -> str:
        return repr(plain(self))


class TellingPinned(_Telling, np.ndarray):
    """Pinned memory."""


class TellingMapped(_Telling, HostAndDeviceArray):
    """Mapped or managed memory."""


def telling(array: np.ndarray, space: str, touch: Touch) -> np.ndarray:
    """The same memory as an array that tells. space: "pinned", "mapped" or "managed"."""
    result = array.view(TellingPinned if space == "pinned" else TellingMapped)
    result.touch = touch
    return result


def plain(array: Any) -> Any:
    """The same memory as an ordinary array; what is none stays as it is."""
    return array.view(np.ndarray) if isinstance(array, _Telling) else array


def _read(value: Any) -> Any:
    """A value that is about to be read, as an ordinary one."""
    if isinstance(value, _Telling):
        value._tell(value, False)
    return plain(value)


def _read_deep(value: Any) -> Any:
    """The same through tuples and lists, as np.concatenate takes them."""
    return type(value)(map(_read_deep, value)) if type(value) in (tuple, list) else _read(value)


def _cells(array: np.ndarray, index: Any) -> np.ndarray:
    """The cells that an index names, as memory where NumPy has a view of them; else the whole array."""
    whole = plain(array)
    try:
        part = whole[(*(index if isinstance(index, tuple) else (index,)), ...)]
    except IndexError:
        return whole
    return part if not part.size or np.may_share_memory(part, whole) else whole
