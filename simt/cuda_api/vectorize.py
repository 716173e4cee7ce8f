"""``@vectorize(["float32(float32, float32)"], target="cuda")``: a function of scalars applied to arrays.

Arguments are taken as numba takes them for a GPU: arrays have exactly the declared types, numbers are converted, and
host arrays give a host array, device arrays a device array.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from simt.compiling.signatures import Signature, read_signatures
from simt.cuda_api.device_array import DeviceArray, array_given, to_device
from simt.cuda_api.dispatcher import forall, jit
from simt.cuda_api.generated import function_from, name_for
from simt.cuda_api.in_words import class_in_words
from simt.errors import SimtError

KERNEL = """def {name}({inputs}, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = function({elements})
"""
SCALARS = (int, float, complex, np.number, np.bool_)


def vectorize(signatures=(), target: str = "cuda", **options) -> Any:
    """A decorator. signatures: one or a list of them, which say what the function takes and returns.

    Raises SimtError for other targets and for signatures of anything but numbers. A function without a signature is
    decorated, too, and says at its first call, as numba does for a GPU, that it was compiled for no types.
    """
    if target != "cuda":
        raise SimtError(f'vectorize: there is no compiler for target="{target}" here. Write target="cuda".')
    if inspect.isfunction(signatures):
        return VectorizedFunction(signatures, ())
    declared = [signatures] if isinstance(signatures, str) or not isinstance(signatures, (list, tuple)) else signatures

    def decorate(function: Callable) -> VectorizedFunction:
        builder = VectorizeBuilder(function, targetoptions=options)
        for one in declared:
            builder.add(one)
        return builder.build_ufunc()

    for one in declared:
        numbers_of(one)
    return decorate


def numbers_of(declared) -> Signature:
    """A signature of numbers. Raises: SimtError for any other."""
    one = read_signatures(declared)[0]
    if one.returns is None or None in one.arguments or any(a.ndim for a in one.arguments if a is not None):
        raise SimtError('vectorize: a signature names numbers, as in "float32(float32, int32)".')
    return one


@class_in_words("vectorize")
class VectorizeBuilder:
    """What numba makes of ``@vectorize(target="cuda")``: signatures are added, then the function is built."""

    def __init__(self, func: Callable, identity=None, cache: bool = False, targetoptions: dict | None = None):
        if cache:
            raise TypeError("vectorize: caching is not supported for the cuda target. Leave cache out.")
        unknown = set(targetoptions or {}) - {"nopython", "identity", "cache"}
        if unknown:
            raise KeyError(f"vectorize: the cuda target has no option {sorted(unknown)[0]!r}. Leave it out.")
        if "nopython" in (targetoptions or {}):
            warnings.warn("vectorize: the cuda target always compiles: nopython says nothing", RuntimeWarning, 2)
        self.py_func = func
        self._signatures: list[Signature] = []

    def add(self, sig) -> None:
        self._signatures.append(numbers_of(sig))

    def disable_compile(self) -> None:
        """Nothing is compiled at a call."""

    def build_ufunc(self) -> VectorizedFunction:
        return VectorizedFunction(self.py_func, tuple(self._signatures))


@class_in_words("vectorized")
class VectorizedFunction:
    """Applied to arrays and numbers, which are broadcast."""

    def __init__(self, function: Callable, signatures: tuple[Signature, ...]):
        self.__name__ = function.__name__
        functools.update_wrapper(self, function)
        self.signatures = signatures
        self.nin, self.nout = len(inspect.signature(function).parameters), 1
        self._kernel = _elementwise(function, self.nin)

    def __call__(self, *given, out=None, stream=0, **unknown):
        """The result, or `out` filled with it. Raises TypeError when no signature has exactly these types."""
        if unknown:
            warnings.warn(f"{self.__name__}: unknown keywords {', '.join(unknown)} are ignored", stacklevel=2)
        inputs = list(map(array_given, given))
        if len(inputs) == self.nin + 1 and out is None:
            out = inputs.pop()
        out = array_given(out)
        if len(inputs) != self.nin:
            raise TypeError(f"{self.__name__} takes {self.nin} arrays or numbers, and was given {len(inputs)}.")
        on_device = any(isinstance(one, DeviceArray) for one in inputs)
        chosen = self._choose(inputs)
        arrays = [self._array(one, declared.dtype) for one, declared in zip(inputs, chosen.arguments, strict=True)]
        arrays = list(np.broadcast_arrays(*arrays))
        shape = arrays[0].shape
        flat = [to_device(np.ascontiguousarray(array).reshape(-1)) for array in arrays]
        result = to_device(np.empty(flat[0].size, chosen.returns))
        forall(self._kernel, result.size, stream=stream)(*flat, result)
        return self._delivered(result.reshape(shape), out, on_device)

    @staticmethod
    def _array(one, dtype: np.dtype) -> np.ndarray:
        if isinstance(one, DeviceArray):
            return one.simt_host_array
        return np.array([one], dtype) if isinstance(one, SCALARS) else np.asarray(one)

    def _choose(self, inputs) -> Signature:
        """The signature with the types of all arrays, and of the numbers where one has even these."""
        given = [None if isinstance(one, SCALARS) else _dtype_of(one) for one in inputs]
        exact = [np.asarray(one).dtype if dtype is None else dtype for one, dtype in zip(inputs, given, strict=True)]
        for wanted in (exact, given):
            fitting = [
                one
                for one in self.signatures
                if all(
                    dtype is None or declared.dtype == dtype
                    for declared, dtype in zip(one.arguments, wanted, strict=True)
                )
            ]
            if len(fitting) == 1:
                return fitting[0]
            if fitting:
                raise TypeError(
                    f"{self.__name__}: {' and '.join(map(str, fitting))} both take these numbers. Give them a type, as "
                    "in np.float32(2)."
                )
        types = ", ".join(str(dtype) for dtype in exact)
        if not self.signatures:
            raise TypeError(
                f"{self.__name__} was compiled for no types: the cuda target compiles none at a call. Write them, as "
                f'in @vectorize(["float32(float32, float32)"], target="cuda"). It was called with ({types}).'
            )
        raise TypeError(
            f"{self.__name__} is declared for {' or '.join(map(str, self.signatures))}, but was called with "
            f"({types}). On a GPU arrays need exactly these types: convert them with astype, or add a signature."
        )

    def _delivered(self, result: DeviceArray, out, on_device: bool):
        """The result where the caller wants it."""
        if out is None:
            return result if on_device else result.copy_to_host()
        if out.shape != result.shape:
            raise ValueError(f"{self.__name__}: out has shape {out.shape}, and the result {result.shape}.")
        if isinstance(out, DeviceArray):
            out.copy_to_device(result.simt_host_array.astype(out.dtype, copy=False))
        else:
            out[...] = result.simt_host_array
        return out

    def reduce(self, arg, stream=0):
        """A 1-d array folded into one number, its halves onto each other, as on a GPU."""
        if self.nin != 2:
            raise TypeError(f"{self.__name__}.reduce needs a function of two numbers, and this one takes {self.nin}.")
        if arg.ndim != 1 or arg.size == 0:
            raise TypeError(
                f"{self.__name__}.reduce folds a 1-d array that is not empty, not one of shape {arg.shape}."
            )
        if arg.size == 1:
            return arg[0]
        rest = to_device(np.array(arg.simt_host_array if isinstance(arg, DeviceArray) else arg))
        return self._folded(rest, stream).copy_to_host()[0]

    def _folded(self, rest: DeviceArray, stream) -> DeviceArray:
        if rest.size == 1:
            return rest
        if rest.size % 2:
            return self(self._folded(rest[:-1], stream), rest[-1:], stream=stream)
        half = rest.size // 2
        return self._folded(self(rest[:half], rest[half:], stream=stream), stream)


def _dtype_of(one) -> np.dtype:
    return one.dtype if isinstance(one, DeviceArray) else np.asarray(one).dtype


def _elementwise(function: Callable, n_inputs: int):
    """A kernel with one thread per element."""
    names = list(inspect.signature(function).parameters)
    if {"cuda", "function", "i", "out"} & set(names):
        names = [f"input_{k}" for k in range(n_inputs)]
    name = name_for(function)
    text = KERNEL.format(name=name, inputs=", ".join(names), elements=", ".join(f"{one}[i]" for one in names))
    return jit(function_from(text, name, f"vectorize {function.__name__}", function=jit(function, device=True)))
