"""Pinned and mapped arrays that tell when host code reads or writes them."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from simt.cuda_api.host_memory import HostAndDeviceArray
from simt.host_order.frames import package_of
from simt.values.unasked import is_a

Touch = Callable[[np.ndarray, bool], None]  # (array, does the host write it?)


def _unless_numpy_refuses() -> contextlib.AbstractContextManager:
    """Around what works out which cells a call means: where it means none, NumPy says so afterwards."""
    return contextlib.suppress(ValueError, TypeError, IndexError)


class _Telling:
    """What makes an ndarray tell. touch: whom; views share it, results of arithmetic are plain arrays."""

    touch: Touch | None = None

    def __array_finalize__(self, parent: Any) -> None:
        self.touch = getattr(parent, "touch", None)

    def _tell(self, part: Any, writes: bool) -> None:
        if self.touch is not None and isinstance(part, np.ndarray):
            self.touch(part, writes)

    def _tell_cells(self, index: Any, writes: bool) -> None:
        for part in _cells(plain(self), index):
            self._tell(part, writes)

    def __getitem__(self, index: Any) -> Any:
        part = super().__getitem__(index)
        if not isinstance(part, np.ndarray) or not np.may_share_memory(plain(part), plain(self)):
            self._tell_cells(index, False)
            return plain(part)
        return part

    def __setitem__(self, index: Any, value: Any) -> None:
        self._tell_cells(index, True)
        plain(self)[index] = _read(value)

    def __iter__(self):
        self._tell(self, False)
        return iter(plain(self))

    def __array_ufunc__(self, ufunc, method: str, *inputs: Any, out: tuple = (), **options: Any) -> Any:
        read = tuple(_read(one) for one in inputs)
        for one in (*out, *(inputs[:1] if method == "at" else ())):
            if isinstance(one, _Telling):
                one._tell(one, True)
        if out:
            options["out"] = tuple(plain(one) for one in out)
        result = getattr(ufunc, method)(*read, **options)
        return out[0] if out else result

    def __array_function__(self, function, types, args: tuple, kwargs: dict) -> Any:
        if function not in FILLS:
            return function(*(_read_deep(one) for one in args), **_to(kwargs))
        filled = args[0] if args else next((kwargs[name] for name in FILLED if name in kwargs), None)
        if isinstance(filled, _Telling):
            filled._tell(filled, True)
        given = {key: plain(one) if one is filled else _read_deep(one) for key, one in kwargs.items()}
        return function(*(plain(one) if one is filled else _read_deep(one) for one in args), **given)

    def item(self, *index: Any) -> Any:
        """One number."""
        with _unless_numpy_refuses():
            if len(index) == 1 and not isinstance(index[0], tuple):
                self._tell_cells(np.unravel_index(range(self.size)[index[0]], self.shape), False)
            elif index or self.size == 1:
                self._tell_cells(index[0] if len(index) == 1 else index, False)
        return plain(self).item(*index)

    def take(self, *args: Any, **options: Any) -> Any:
        """Some elements; with an axis, the whole array is asked for."""
        if len(args) != 1 or options:
            self._tell(self, False)
        else:
            self._tell_places(args[0], False)
        return plain(self).take(*map(_read_deep, args), **_to(options))

    def put(self, *args: Any, **options: Any) -> None:
        """Fill some elements; with a mode that brings places outside back, any."""
        mode = args[2] if len(args) > 2 else options.get("mode", "raise")
        if len(args) < 2 or mode != "raise":
            self._tell(self, True)
        else:
            self._tell_places(args[0], True)
        plain(self).put(*map(_read_deep, args), **_to(options))

    def _tell_places(self, places: Any, writes: bool) -> None:
        """Tell of elements by their places in the flat array; those below 0 count from the end."""
        with _unless_numpy_refuses():
            flat = np.asarray(_read_deep(places))
            self._tell_cells(np.unravel_index(np.where(flat < 0, flat + self.size, flat), self.shape), writes)

    def __reduce__(self) -> Any:
        return _read(self).__reduce__()

    def __repr__(self) -> str:
        return repr(plain(self))


READS = (
    *("argmax", "argmin", "argpartition", "argsort", "astype", "choose", "clip", "compress", "copy", "cumprod"),
    *("cumsum", "dot", "dump", "dumps", "flatten", "mean", "nonzero", "prod", "repeat", "round", "searchsorted", "std"),
    *("sum", "tobytes", "tofile", "tolist", "trace", "var", "all", "any", "max", "min"),
    *("__bool__", "__int__", "__float__", "__complex__", "__index__", "__contains__", "__format__", "__str__"),
    *("__copy__", "__deepcopy__"),
)
WRITES = ("fill", "partition", "sort")
FILLS = (np.copyto, np.put, np.place, np.putmask, np.fill_diagonal, np.put_along_axis)  # their first argument
FILLED = ("dst", "a", "arr")  # what that is called


def _telling_method(name: str, writes: bool) -> Callable[..., Any]:
    """A method of arrays that tells that the whole array is read or written."""

    def method(self: Any, *args: Any, **options: Any) -> Any:
        self._tell(self, writes)
        return getattr(plain(self), name)(*map(_read_deep, args), **_to(options))

    method.__name__, method.__doc__ = name, "As of any array."
    return method


def _to(options: dict[str, Any]) -> dict[str, Any]:
    """Keywords of a method: `out` is written, everything else read."""
    out = options.get("out")
    if isinstance(out, _Telling):
        out._tell(out, True)
        return {**options, "out": plain(out)}
    return {key: _read_deep(value) for key, value in options.items()}


for _name in (*READS, *WRITES):
    if hasattr(np.ndarray, _name):
        setattr(_Telling, _name, _telling_method(_name, _name in WRITES))


class TellingPinned(_Telling, np.ndarray):
    """Pinned memory."""


class TellingMapped(_Telling, HostAndDeviceArray):
    """Mapped or managed memory."""


TellingPinned.__name__, TellingMapped.__name__ = "ndarray", "MappedNDArray"  # what errors call them


def telling(array: np.ndarray, space: str, touch: Touch) -> np.ndarray:
    """The same memory as an array that tells. space: "pinned", "mapped" or "managed"."""
    result = array.view(TellingPinned if space == "pinned" else TellingMapped)
    result.touch = touch
    return result


def plain(array: Any) -> Any:
    """The same memory as an ordinary array; what is none stays as it is."""
    return array.view(np.ndarray) if is_a(array, _Telling) else array


def _read(value: Any) -> Any:
    """A value that is about to be read, as an ordinary one."""
    if is_a(value, _Telling):
        value._tell(value, False)
    return plain(value)


def _read_deep(value: Any) -> Any:
    """The same through tuples and lists, as np.concatenate takes them."""
    return type(value)(map(_read_deep, value)) if type(value) in (tuple, list) else _read(value)


MOST_PIECES = 4096  # of memory that one index is followed to; what lies beyond is not looked at


def _cells(whole: np.ndarray, index: Any) -> Iterator[np.ndarray]:
    """The cells that an index names, as memory: one view where NumPy has one, else its pieces; and no other cell."""
    try:
        part = whole[(*(index if isinstance(index, tuple) else (index,)), ...)]
    except IndexError:
        return
    if not part.size or np.may_share_memory(part, whole):
        yield part
        return
    places = np.unique(np.arange(whole.size).reshape(whole.shape)[index])
    if not whole.flags.c_contiguous:
        for place in places[:MOST_PIECES]:
            yield whole[(*np.unravel_index(place, whole.shape), ...)]
        return
    flat = whole.reshape(-1)
    for run in np.split(places, np.flatnonzero(np.diff(places) > 1) + 1)[:MOST_PIECES]:
        yield flat[run[0] : run[-1] + 1]


CONVERSIONS = ("array", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray")
OURS = ("simt", "autograder", "numpy")  # modules whose conversions are none of the program's


@contextlib.contextmanager
def conversions_tell() -> Iterator[None]:
    """While this lasts, `np.array(pinned)` and its kin tell, too: NumPy copies an array's memory without asking it.

    The functions of the module are replaced, so a name that was imported from it before still does not tell.
    """
    originals = {name: getattr(np, name) for name in CONVERSIONS}
    for name, original in originals.items():
        setattr(np, name, _telling_conversion(original))
    try:
        yield
    finally:
        for name, original in originals.items():
            setattr(np, name, original)


def _telling_conversion(original: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
    copies = original is np.array

    @functools.wraps(original)
    def convert(*args: Any, **options: Any) -> np.ndarray:
        told = any(is_a(one, _Telling, list, tuple) for one in (*args[:1], *options.values()))
        if not told or package_of(sys._getframe(1)) in OURS:
            return original(*args, **options)
        value = args[0] if len(args) == 1 and not options else None
        if isinstance(value, _Telling) and not copies and value.flags.c_contiguous:
            return value  # no copy: who reads it later tells then
        return original(*map(_read_deep, args[:1]), *args[1:], **_to(options))

    return convert
