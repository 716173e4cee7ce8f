"""``@vectorize(["float32(float32, float32)"], target="cuda")``: a function of scalars applied to arrays."""

from __future__ import annotations

import functools
import itertools
import linecache
from collections.abc import Callable

import numpy as np

from simt.compiling.signatures import Signature, read_signatures
from simt.cuda_api.device_array import DeviceArray, to_device
from simt.cuda_api.dispatcher import forall, jit
from simt.errors import SimtError

KERNEL = """def apply({inputs}, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = function({elements})
"""
_serial = itertools.count()


def vectorize(signatures, target: str = "cuda", **options) -> Callable:
    """A decorator. signatures: one or a list of them, which say what the function returns.

    Raises SimtError for other targets, and for a function without a signature.
    """
    if target != "cuda":
        raise SimtError(f'vectorize: there is no compiler for target="{target}" here. Write target="cuda".')
    if callable(signatures) or not signatures:
        raise SimtError('vectorize: say what the function takes and returns, as in ["float32(float32, float32)"].')
    read = read_signatures(signatures)
    if any(one.returns is None or None in one.arguments or any(a.ndim for a in one.arguments) for one in read):
        raise SimtError('vectorize: a signature names numbers, as in "float32(float32, int32)".')
    return lambda function: VectorizedFunction(function, read)


class VectorizedFunction:
    """Applied to arrays and scalars, which are broadcast; device arrays give a device array."""

    def __init__(self, function: Callable, signatures: tuple[Signature, ...]):
        self.__name__ = function.__name__
        functools.update_wrapper(self, function)
        self.signatures, self.nin = signatures, len(signatures[0].arguments)
        self._kernel = _elementwise(function, self.nin)

    def __call__(self, *inputs, out=None, stream=0):
        """The result, or `out` filled with it. Raises TypeError when no signature takes the inputs without loss."""
        on_device = isinstance(out, DeviceArray) or any(isinstance(one, DeviceArray) for one in inputs)
        arrays = [one.copy_to_host() if isinstance(one, DeviceArray) else np.asarray(one) for one in inputs]
        chosen = self._choose(tuple(array.dtype for array in arrays))
        arrays = list(np.broadcast_arrays(*arrays))
        shape = arrays[0].shape
        converted = [
            np.ascontiguousarray(array, declared.dtype).reshape(-1)
            for array, declared in zip(arrays, chosen.arguments, strict=True)
        ]
        result = np.empty(converted[0].size, chosen.returns)
        forall(self._kernel, result.size)(*converted, result)
        return _delivered(result.reshape(shape), out, on_device)

    def _choose(self, dtypes: tuple[np.dtype, ...]) -> Signature:
        fitting = []
        for one in self.signatures:
            pairs = list(zip(dtypes, one.arguments, strict=False))
            if len(dtypes) == len(one.arguments) and all(np.can_cast(have, want.dtype) for have, want in pairs):
                fitting.append((sum(have != want.dtype for have, want in pairs), one))
        if not fitting:
            raise TypeError(
                f"{self.__name__} is declared for {' or '.join(map(str, self.signatures))}, but was called with "
                f"({', '.join(map(str, dtypes))}). Convert the arrays, or add a signature."
            )
        return min(fitting, key=lambda pair: pair[0])[1]


def _delivered(result: np.ndarray, out, on_device: bool):
    """The result where the caller wants it."""
    if isinstance(out, DeviceArray):
        out.copy_to_device(result.astype(out.dtype, copy=False))
        return out
    if out is not None:
        out[...] = result
        return out
    return to_device(result) if on_device else result[()]


def _elementwise(function: Callable, n_inputs: int):
    """A kernel with one thread an element; its text is kept where the interpreter looks for it."""
    from simt.cuda_api import cuda

    names = [f"input_{k}" for k in range(n_inputs)]
    text = KERNEL.format(inputs=", ".join(names), elements=", ".join(f"{name}[i]" for name in names))
    file_name = f"<vectorize {function.__name__} {next(_serial)}>"
    linecache.cache[file_name] = (len(text), None, text.splitlines(True), file_name)
    namespace = {"cuda": cuda, "function": jit(function, device=True)}
    exec(compile(text, file_name, "exec"), namespace)
    return jit(namespace["apply"])
