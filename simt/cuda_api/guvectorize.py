"""``@guvectorize(["void(float32[:], float32[:])"], "(n)->(n)", target="cuda")``: a function of rows applied to arrays.

One thread works out one row, or one element of the loop over the outer dimensions, as on a GPU.
"""

from __future__ import annotations

import dis
import functools
import inspect
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from simt.compiling.signatures import Declared, Signature, read_signatures
from simt.cuda_api import host_events
from simt.cuda_api.device_array import DeviceArray, array_given, device_array, to_device
from simt.cuda_api.dispatcher import forall, jit
from simt.cuda_api.generated import function_from, name_for
from simt.cuda_api.in_words import class_in_words
from simt.errors import SimtError
from simt.source.counts import count_text

KERNEL = """def {name}({names}):
    i = cuda.grid(1)
    if i < {last}.shape[0]:
        function({items})
"""
LARGE = 256  # elements that are much for one thread
OWN_NAMES = {"cuda", "function", "i"}  # of the kernel that is made
GROUP = re.compile(r"\(([^()]*)\)")
EXAMPLE = '@guvectorize(["void(float32[:], float32, float32[:])"], "(n),()->(n)", target="cuda")'


@dataclass(frozen=True)
class Layout:
    """The dimensions that each argument has inside: "(m,n),(n)->(m)" is (("m", "n"), ("n",)) and (("m",),)."""

    inputs: tuple[tuple[str, ...], ...]
    outputs: tuple[tuple[str, ...], ...]

    @classmethod
    def read(cls, text: str) -> Layout:
        """Raises: SimtError for what is no layout."""
        before, arrow, after = text.partition("->")
        inputs, outputs = (
            tuple(tuple(name.strip() for name in group.split(",") if name.strip()) for group in GROUP.findall(part))
            for part in (before, after)
        )
        known = {name for group in inputs for name in group}
        if not arrow or not inputs or not outputs or any(name not in known for group in outputs for name in group):
            raise SimtError(
                f"guvectorize: {text!r} is no layout: every output has dimensions of the inputs. Write {EXAMPLE}."
            )
        return cls(inputs, outputs)


def guvectorize(signatures, layout: str, target: str = "cuda", **options) -> Any:
    """A decorator. signatures: one or a list of them, as in "void(float32[:], float32[:])". Raises: SimtError."""
    if target != "cuda":
        raise SimtError(f'guvectorize: there is no compiler for target="{target}" here. Write target="cuda".')
    declared = signatures if isinstance(signatures, (list, tuple)) else [signatures]

    def decorate(function: Callable) -> GeneralizedFunction:
        builder = GuvectorizeBuilder(function, layout, targetoptions=options)
        for one in declared:
            builder.add(one)
        return builder.build_ufunc()

    return decorate


@class_in_words("guvectorize")
class GuvectorizeBuilder:
    """What numba makes of ``@guvectorize(..., target="cuda")``: signatures are added, then the function is built."""

    def __init__(
        self,
        func: Callable,
        signature: str,
        identity=None,
        cache: bool = False,
        targetoptions: dict | None = None,
        writable_args=(),
        is_dynamic: bool = False,
    ):
        if cache:
            raise TypeError("guvectorize: caching is not supported for the cuda target. Leave cache out.")
        if writable_args:
            raise TypeError("guvectorize: writable_args are not supported for the cuda target. Leave them out.")
        options = dict(targetoptions or {})
        if not options.pop("nopython", True):
            raise TypeError("guvectorize: the cuda target always compiles: nopython cannot be False. Leave it out.")
        unknown = set(options)
        if unknown:
            raise TypeError(f"guvectorize: the cuda target has no option {sorted(unknown)[0]!r}. Leave it out.")
        self.py_func, self.layout = func, Layout.read(signature)
        self._signatures: list[Signature] = []

    def add(self, sig) -> None:
        one = read_signatures(sig)[0]
        dims = [*self.layout.inputs, *self.layout.outputs]
        if one.returns is not None or returns_a_value(self.py_func):
            raise TypeError(f"guvectorize: {self.py_func.__name__} cannot return values: it fills its last arguments.")
        if None in one.arguments or len(one.arguments) != len(dims):
            raise SimtError(
                f"guvectorize: {one} declares {count_text(len(one.arguments), 'argument')}, and the layout {len(dims)}."
                f" Write {EXAMPLE}."
            )
        for declared, names in zip(one.arguments, dims, strict=True):
            if declared is not None and declared.ndim < len(names):
                raise ValueError(f"guvectorize: an argument of {one} is no array, but the layout gives it dimensions.")
        self._signatures.append(one)

    def disable_compile(self) -> None:
        """Nothing is compiled at a call."""

    def build_ufunc(self) -> GeneralizedFunction:
        return GeneralizedFunction(self.py_func, self.layout, tuple(self._signatures))


@class_in_words("guvectorized")
class GeneralizedFunction:
    """Applied to arrays, whose outer dimensions are looped over."""

    def __init__(self, function: Callable, layout: Layout, signatures: tuple[Signature, ...]):
        self.__name__ = function.__name__
        functools.update_wrapper(self, function)
        self._function, self.layout, self.signatures = function, layout, signatures
        self.max_blocksize = 2**30
        self._kernels: dict[Signature, Any] = {}

    def __call__(self, *arguments, out=None, stream=0):
        """The outputs: one array, or a tuple of them; `out`, or further arguments, are filled where they are given."""
        n_in, n_out = len(self.layout.inputs), len(self.layout.outputs)
        arguments = tuple(map(array_given, arguments))
        out = tuple(map(array_given, out)) if isinstance(out, tuple) else array_given(out)
        if out is not None and len(arguments) > n_in:
            raise ValueError(f"{self.__name__}: an output is given by position and as out. Give it once.")
        if len(arguments) not in ((n_in,) if out is not None else (n_in, n_in + n_out)):
            raise TypeError(
                f"{self.__name__} takes {count_text(n_in, 'input')}, or as many and {count_text(n_out, 'output')}; "
                f"it was given {len(arguments)}."
            )
        given = list(arguments[n_in:]) or (list(out) if isinstance(out, tuple) else [out] * n_out)
        on_device = any(isinstance(one, DeviceArray) for one in (*arguments, *given))
        inputs = [_memory(one) for one in arguments[:n_in]]
        chosen = self._choose(inputs)
        for position, (one, declared) in enumerate(zip(arguments[:n_in], chosen.arguments, strict=False), start=1):
            if isinstance(one, DeviceArray) and declared is not None and one.dtype != declared.dtype:
                raise TypeError(
                    f"{self.__name__}: input {position} is a device array of {one.dtype}, which nothing converts to "
                    f"{declared.dtype}. Convert it before it is copied to the device, or add a signature."
                )
        loop, inner, sizes = self._loop(inputs)
        count = math.prod(loop)
        rows = [
            _rows(array.astype(declared.dtype, copy=False), count, shape)
            for array, declared, shape in zip(inputs, chosen.arguments, inner, strict=False)
        ]
        shapes = [(*loop, *(sizes[name] for name in names)) for names in self.layout.outputs]
        results = [self._output(*one) for one in zip(given, shapes, chosen.arguments[n_in:], strict=True)]
        flat = [one.reshape(count, *shape[len(loop) :]) for one, shape in zip(results, shapes, strict=True)]
        self._note_one_thread(count, inner)
        forall(self._kernel(chosen), count, stream=stream)(*rows, *flat)
        return self._delivered(results, given, on_device)

    def _note_one_thread(self, count: int, inner: list[tuple[int, ...]]) -> None:
        """Tell where one thread works out everything."""
        most = max(map(math.prod, inner), default=1)
        if count == 1 and most >= LARGE:
            elements = count_text(most, "element")
            says = f"This call of `{self.__name__}` runs in one thread, which goes through {elements} by itself"
            host_events.tell(
                "noted",
                "one_thread",
                f"{says}: guvectorize starts a thread for each element of the outer dimensions, and there are none.",
                "Take a dimension out of the layout, so that it is one to loop over, or write a kernel with @cuda.jit.",
            )

    def _choose(self, inputs: list[np.ndarray]) -> Signature:
        """The signature of exactly these types; else the first that numba would convert the inputs to."""
        types = [array.dtype for array in inputs]
        for fits in (lambda have, want: have == want, lambda have, want: np.can_cast(want, have)):
            for one in self.signatures:
                declared = [argument.dtype for argument in one.arguments[: len(types)] if argument is not None]
                if all(fits(have, want) for have, want in zip(types, declared, strict=True)):
                    return one
        raise TypeError(
            f"{self.__name__} is declared for {' or '.join(map(str, self.signatures)) or 'no types'}, but was called "
            f"with ({', '.join(map(str, types))}). Convert the arrays with astype, or add a signature."
        )

    def _loop(self, inputs: list[np.ndarray]) -> tuple[tuple[int, ...], list[tuple[int, ...]], dict[str, int]]:
        """The outer shape, the inner shape of each input, and the extent of every dimension by name."""
        sizes: dict[str, int] = {}
        outer, inner = [], []
        for position, (array, names) in enumerate(zip(inputs, self.layout.inputs, strict=True), start=1):
            if array.ndim < len(names):
                least = count_text(len(names), "dimension")
                raise ValueError(f"{self.__name__}: input {position} needs {least}, not {array.ndim}.")
            split = array.ndim - len(names)
            outer.append(array.shape[:split])
            inner.append(array.shape[split:])
            for name, extent in zip(names, inner[-1], strict=True):
                if sizes.setdefault(name, extent) != extent:
                    raise ValueError(
                        f"{self.__name__}: dimension {name} is {sizes[name]} in one input and {extent} in "
                        f"input {position}."
                    )
        loop = max(outer, key=math.prod)
        if any(one not in (loop, (), (1,)) for one in outer):
            raise ValueError(f"{self.__name__}: the outer dimensions {outer} differ.")
        return loop, inner, sizes

    def _output(self, given, shape: tuple[int, ...], declared: Declared) -> DeviceArray:
        """A device array to fill."""
        if given is None:
            return device_array(shape, declared.dtype)
        if given.shape != shape:
            raise ValueError(f"{self.__name__}: an output has shape {given.shape}, and the result {shape}.")
        return given if isinstance(given, DeviceArray) else device_array(shape, declared.dtype)

    def _delivered(self, results: list[DeviceArray], given: list, on_device: bool):
        """Each output where the caller wants it."""
        told: list[Any] = []
        for result, wanted in zip(results, given, strict=True):
            if isinstance(wanted, np.ndarray):
                wanted[...] = result.simt_host_array
                told.append(wanted)
            else:
                told.append(result if on_device else result.copy_to_host())
        return told[0] if len(told) == 1 else tuple(told)

    def _kernel(self, signature: Signature):
        if signature not in self._kernels:
            dims = [*self.layout.inputs, *self.layout.outputs]
            names = list(inspect.signature(self._function).parameters)
            if len(names) != len(dims) or OWN_NAMES & set(names):
                names = [f"arg_{k}" for k in range(len(dims))]
            items = [
                f"{name}[{_index(len(inner), declared)}]"
                for name, inner, declared in zip(names, dims, signature.arguments, strict=True)
            ]
            kernel = name_for(self._function)
            text = KERNEL.format(name=kernel, names=", ".join(names), last=names[-1], items=", ".join(items))
            title = f"guvectorize {self.__name__}"
            made = function_from(text, kernel, title, function=jit(self._function, device=True))
            self._kernels[signature] = jit(made)
        return self._kernels[signature]


def _index(n_inner: int, declared: Declared | None) -> str:
    """How a thread takes its part: a row, a number, or, where a number is declared as an array, one of length 1."""
    if n_inner:
        return ", ".join(["i", *[":"] * n_inner])
    return "i:i + 1" if declared is not None and declared.ndim else "i"


def returns_a_value(function: Callable) -> bool:
    """Whether a function has a `return` with a value, as far as its bytecode shows."""
    code = list(dis.get_instructions(function))
    pairs = zip(code, code[1:], strict=False)
    return any(then.opname == "RETURN_VALUE" and not _is_none(one) for one, then in pairs) or any(
        one.opname == "RETURN_CONST" and one.argval is not None for one in code
    )


def _is_none(one: dis.Instruction) -> bool:
    return one.opname == "LOAD_CONST" and one.argval is None


def _memory(one) -> np.ndarray:
    return one.simt_host_array if isinstance(one, DeviceArray) else np.asarray(one)


def _rows(array: np.ndarray, count: int, inner: tuple[int, ...]) -> DeviceArray:
    """An input with its outer dimensions as one, or repeated where it has none."""
    wanted = (count, *inner)
    if array.size == math.prod(wanted):
        return to_device(array.reshape(wanted))
    return to_device(np.ascontiguousarray(np.broadcast_to(array.reshape(1, *inner), wanted)))
