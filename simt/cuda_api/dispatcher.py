"""Launching kernels: ``kernel[grid, block, stream, dynamic_shared_bytes](*args)``, and `jit` where numba is absent."""

from __future__ import annotations

import contextlib
import functools
import inspect
import operator
from collections.abc import Callable, Iterator
from types import MethodType

import numpy as np

from simt.cuda_api import host_events
from simt.cuda_api.device_array import kernel_argument
from simt.cuda_api.in_words import shown_value
from simt.cuda_api.transfer_hints import is_hint, on_device, prepared
from simt.errors import InvalidLaunchError, NotLaunchedError, SimtError
from simt.launching.geometry import norm3
from simt.run import launch as interpret
from simt.values.unasked import is_a

FORALL_BLOCK = 128  # threads per block when forall is not told

_launchers: list[Callable] = [interpret]


@contextlib.contextmanager
def intercept(launcher: Callable) -> Iterator[None]:
    """Send the launches of host code to ``launcher(kernel, grid, block, *args, dynamic_shared_bytes=...)``.

    A tracer does this to listen to every launch that a host function makes.
    """
    _launchers.append(launcher)
    try:
        yield
    finally:
        _launchers.remove(launcher)


_captures: list[tuple[object, Callable]] = []  # (stream, what keeps its launches), the innermost last


@contextlib.contextmanager
def capturing(stream: object, keep: Callable) -> Iterator[None]:
    """Hand the launches in a stream to `keep` instead of running them; launches elsewhere go on."""
    _captures.append((stream, keep))
    try:
        yield
    finally:
        _captures.pop()


class LaunchConfiguration:
    """A kernel with its grid and block, ready to be called."""

    def __init__(self, kernel, griddim, blockdim, stream=0, sharedmem: int = 0):
        self.kernel = self.dispatcher = kernel
        self.griddim, self.blockdim = _python_ints(griddim, "grid"), _python_ints(blockdim, "block")
        self.stream, self.sharedmem = stream, _n_bytes(sharedmem)
        self.pre_launch_callbacks: list[Callable] = []

    def __call__(self, *args, **named) -> None:
        """Launch, and return when it is done. Arrays are changed in place. Raises: TypeError for a named argument."""
        if named:
            says = f"a launch takes its arguments by position. Write {next(iter(named))} without its name."
            raise TypeError(f"{self.kernel.__name__}: {says}")
        after: list[Callable] = []
        args = prepared(self.kernel, args, self.stream, after)
        args = tuple(on_device(one, self.stream, after) if is_hint(one) else kernel_argument(one) for one in args)
        if (note_types := getattr(type(self.kernel), "simt_note_types", None)) is not None:
            note_types(self.kernel, args)
        for callback in self.pre_launch_callbacks:
            callback(self.kernel, self)
        if _captures and self.stream is _captures[-1][0]:
            shared = self.sharedmem
            _captures[-1][1](self.kernel, self.griddim, self.blockdim, *args, dynamic_shared_bytes=shared)
            return
        options = {"debug": True} if getattr(self.kernel, "targetoptions", {}).get("debug") else {}
        if options and _launchers[-1] is not interpret:
            options = {}
        with host_events.telling_of_a_launch(self.kernel, self.griddim, self.blockdim, args, self.stream):
            _launchers[-1](
                self.kernel, self.griddim, self.blockdim, *args, dynamic_shared_bytes=self.sharedmem, **options
            )
        for copy_back in after:
            copy_back()


def _python_ints(dims, what: str) -> tuple[int, int, int]:
    """The extents of a grid or block. Raises: InvalidLaunchError; also for integers of NumPy's, as cuda.core does."""
    extents = norm3(dims, what)
    written = dims if isinstance(dims, tuple | list) else (dims,)
    if numpys := next((one for one in written if isinstance(one, np.integer)), None):
        raise InvalidLaunchError(
            f"The {what} {dims!r} has an integer of NumPy's, and a launch takes Python's only.",
            extents if what == "grid" else (1, 1, 1),
            extents if what == "block" else (1, 1, 1),
            remedy=f"Write int(...) around it, as in int({int(numpys)}).",
        )
    return extents


def _n_bytes(sharedmem) -> int:
    """Bytes of dynamic shared memory. Raises: InvalidLaunchError for what is no integer."""
    try:
        return operator.index(sharedmem)
    except TypeError:
        raise InvalidLaunchError(
            f"The bytes of dynamic shared memory are {shown_value(sharedmem)}, and must be an integer.",
            remedy="The order is kernel[blocks, threads, stream, bytes](...).",
        ) from None


def configure(kernel, griddim, blockdim=None, stream=0, sharedmem: int = 0) -> LaunchConfiguration:
    """``kernel[griddim, blockdim, stream, sharedmem]``. Raises: InvalidLaunchError where one number is all there is."""
    if blockdim is None:
        raise InvalidLaunchError(
            f"A launch needs two numbers, blocks and threads in each, and {kernel.__name__}[{griddim}] has one.",
            (1, 1, 1),
            (1, 1, 1),
            remedy=f"Write {kernel.__name__}[blocks, threads](...).",
        )
    return LaunchConfiguration(kernel, griddim, blockdim, stream, sharedmem)


class ForAll:
    """A kernel with one thread per task."""

    def __init__(self, kernel, ntasks: int, tpb: int = 0, stream=0, sharedmem: int = 0):
        if not is_a(ntasks, int, float, np.number) or not is_a(tpb, int, float, np.number, type(None)):
            raise TypeError(
                f"{kernel.__name__}.forall takes the number of tasks, as in {kernel.__name__}.forall(x.size), "
                f"and was given {shown_value(ntasks)} and tpb={shown_value(tpb)}."
            )
        if ntasks < 0:
            raise ValueError(f"forall: {ntasks} tasks; the number cannot be negative.")
        self.kernel, self.ntasks, self.stream, self.sharedmem = kernel, ntasks, stream, sharedmem
        self.tpb = tpb or FORALL_BLOCK

    def __call__(self, *args) -> None:
        """Launch enough blocks for all tasks."""
        if self.ntasks:
            blocks = -(-self.ntasks // self.tpb)
            LaunchConfiguration(self.kernel, blocks, self.tpb, self.stream, self.sharedmem)(*args)


def forall(kernel, ntasks: int, tpb: int = 0, stream=0, sharedmem: int = 0) -> ForAll:
    """``kernel.forall(ntasks)``."""
    return ForAll(kernel, ntasks, tpb, stream, sharedmem)


def not_launched(kernel, *args, **options) -> None:
    """What a call of a kernel or device function by the host comes to. Raises: NotLaunchedError."""
    name = kernel.__name__
    if kernel.targetoptions.get("device"):
        raise NotLaunchedError(f"{name} is a device function, which runs on the GPU alone.", "Call it from a kernel.")
    named = "" if args else f" Where a function is to be handed over, as to q.check, write its name alone: {name}."
    raise NotLaunchedError(
        f"{name} is a kernel, and this call says neither how many blocks to launch nor how many threads.",
        f"Launch it with {name}[blocks, threads](...).{named}",
        name,
    )


class Kernel:
    """What `jit` returns where numba is not installed."""

    def __init__(self, function: Callable, signature=None, device: bool = False, **options):
        functools.update_wrapper(self, function)
        self.py_func, self.device, self.targetoptions = function, device, {"device": device, **options}
        self.simt_signature, self.extensions = signature, list(options.get("extensions", ()))

    def __getattr__(self, name: str):
        says = "nothing was compiled, since the kernel runs in an interpreter"
        raise AttributeError(f"{self.__dict__.get('__name__', 'kernel')} has no {name}: {says}.")

    def __getitem__(self, configuration) -> LaunchConfiguration:
        parts = configuration if isinstance(configuration, tuple) else (configuration,)
        if len(parts) > 4:
            raise SimtError(
                f"{self.__name__}: a launch is kernel[grid, block], kernel[grid, block, stream] or with shared bytes."
            )
        return configure(self, *parts)

    configure, forall = configure, forall

    def __get__(self, owner: object, kind: type | None = None):
        return self if owner is None else MethodType(self, owner)  # as numba binds it

    def __call__(self, *args):
        not_launched(self)


def jit(func_or_sig=None, device: bool = False, **options):
    """``@cuda.jit``, ``@cuda.jit(device=True)`` and ``@cuda.jit("void(float32[:], int32)")``."""
    if isinstance(func_or_sig, Kernel):
        func_or_sig = func_or_sig.py_func
    if inspect.isfunction(func_or_sig):
        return Kernel(func_or_sig, None, device, **options)
    return lambda function: Kernel(function, func_or_sig, device, **options)


def jit_later(jit_now: Callable) -> Callable:
    """numba's own `jit`, made to compile when a kernel is first checked instead of at once, which needs a GPU.

    A signature is kept, so that the interpreter converts arguments as the compiled kernel would.
    """

    @functools.wraps(jit_now)
    def jit_without_compiling(func_or_sig=None, *args, **options):
        if func_or_sig is None or inspect.isfunction(func_or_sig):
            return jit_now(func_or_sig, *args, **options)

        def decorate(function):
            kernel = jit_now(**options)(function)
            kernel.simt_signature = func_or_sig
            return kernel

        return decorate

    return jit_without_compiling
