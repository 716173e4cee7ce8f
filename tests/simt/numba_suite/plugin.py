"""numba-cuda's own tests, with kernel launches sent to the interpreter.

numba's simulator provides the host side, but for the states of random numbers, which it makes one by one. Tests it
skips are unskipped, since the interpreter runs warp operations too.
"""

from __future__ import annotations

import builtins
import functools
import itertools
import linecache
import os
import sys

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"

import numba.cuda.random
import numba.cuda.testing
import numpy as np
from numba.cuda.errors import normalize_kernel_dimensions
from numba.cuda.simulator import kernel as simulator
from numba.cuda.simulator.args import ArgHint, InOut
from numba.cuda.simulator.cudadrv.devicearray import FakeCUDAArray

import simt
from simt.cuda_api import random
from simt.cuda_api.vectorize import vectorize

numba.cuda.testing.skip_on_cudasim = lambda reason: lambda test: test

_exec, _serial = builtins.exec, itertools.count()


def exec_with_source(source, globals_=None, locals_=None, **options):
    """exec that leaves the text where the interpreter finds it, as notebooks do."""
    if globals_ is None:
        frame = sys._getframe(1)
        globals_, locals_ = frame.f_globals, frame.f_locals if locals_ is None else locals_
    if isinstance(source, str):
        name = f"<exec {next(_serial)}>"
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        source = compile(source, name, "exec")
    return _exec(source, globals_) if locals_ is None else _exec(source, globals_, locals_)


def innermost(array):
    """The NumPy array inside the simulator's wrappers."""
    while hasattr(array, "_ary") or hasattr(array, "_item"):
        array = array._ary if hasattr(array, "_ary") else array._item
    return array


def launch(kernel, *args):
    """What FakeCUDAKernel.__call__ does, by the interpreter."""
    if simulator._kernel_context or kernel.grid_dim is None:
        return simulated(kernel, *args)
    kernel.targetoptions = {"device": kernel._device}
    grid, block = normalize_kernel_dimensions(kernel.grid_dim, kernel.block_dim)
    if 0 in grid:  # forall(0) has nothing to do
        return
    after = []

    def prepare(argument):
        if isinstance(argument, tuple) and not hasattr(argument, "_fields"):
            return tuple(prepare(item) for item in argument)
        for extension in kernel.extensions:
            _, argument = extension.prepare_args(None, argument, stream=0, retr=after)
        if isinstance(argument, ArgHint):
            argument = argument.to_device(after)
        elif isinstance(argument, np.ndarray) and argument.ndim:
            argument = InOut(argument).to_device(after)
        return innermost(argument)

    arguments = [prepare(argument) for argument in args]
    simt.launch(kernel, grid, block, *arguments, dynamic_shared_bytes=kernel.dynshared_size, debug=kernel._debug)
    for finish in after:
        finish()


def keep_signature(jit):
    """The simulator drops explicit signatures; the interpreter wants them."""

    @functools.wraps(jit)
    def wrapped(func_or_sig=None, *args, **options):
        result = jit(func_or_sig, *args, **options)
        if func_or_sig is None or isinstance(result, simulator.FakeCUDAKernel):
            return result

        def decorate(function):
            kernel = result(function)
            kernel.simt_signature = func_or_sig
            return kernel

        return decorate

    return wrapped


builtins.exec = exec_with_source
FakeCUDAArray.simt_host_array = property(innermost)  # so that kernels find the global ones
FakeCUDAArray.simt_initialised = True
FakeCUDAArray.simt_mark_written = lambda self: None
for name in ("create_xoroshiro128p_states", "init_xoroshiro128p_states"):
    setattr(numba.cuda.random, name, getattr(random, name))
simulated = simulator.FakeCUDAKernel.__call__
simulator.FakeCUDAKernel.__call__ = launch
numba.cuda.jit = keep_signature(numba.cuda.jit)
numba.cuda.vectorize = vectorize
