"""Launches that begin under the end of the one before them, for which numba.cuda has no name.

    let_successor_start()      in a kernel: the next launch's blocks may take what room there is
    wait_for_predecessor()     in that one: all that the launch before it wrote is there
    call = dependent(kernel, arguments, grid, block, shared_bytes);  call(stream)

From compute capability 9.0 on; before it, and where the successor compiles, launches follow each other as ever.
Source: PTX ISA, "griddepcontrol"; CUDA C++ programming guide, "Programmatic Dependent Launch and Synchronization".
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

from autograder.backend import cuda
from autograder.notebook.lowering import capability, ir, types, with_meaning
from autograder.running.run_cuda import raise_limit
from simt import compilers

HOPPER = (9, 0)


def _nothing(env: Any, mask: Any, place: Any) -> None:
    """The interpreter runs one launch after the other."""


def _instruction(text: str) -> Callable:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if capability() >= HOPPER:
            kind = ir.FunctionType(ir.VoidType(), [])
            builder.call(ir.InlineAsm(kind, text, "~{memory}", side_effect=True), [])
        return context.get_dummy_value()

    return codegen


@with_meaning(_nothing)
def let_successor_start(typing_context):
    """The next launch may begin once every block has come here or ended."""
    return types.void(), _instruction("griddepcontrol.launch_dependents;")


@with_meaning(_nothing)
def wait_for_predecessor(typing_context):
    """Until the launch before this one has ended, and what it wrote can be read."""
    return types.void(), _instruction("griddepcontrol.wait;")


def dependent(
    kernel: Any, arguments: Sequence[Any], grid: Sequence[int], block: Sequence[int], shared_bytes: int = 0
) -> Callable[[int], None]:
    """A launch as a call of the stream's handle. arguments: arrays on the device and scalars, which the call keeps;
    grid, block: (x, y, z); shared_bytes: dynamic, of a block."""
    if cuda.get_current_device().compute_capability < HOPPER or compilers.successor_in_use():
        return lambda stream: kernel[grid, block, cuda.external_stream(stream), shared_bytes](*arguments)
    from minitrt.device.driver import bindings
    from minitrt.device.launches import BoundLaunch, configuration
    from minitrt.tactics.contract import KernelKey, Launch

    compiled = kernel.compile(tuple(kernel.typeof_pyval(argument) for argument in arguments))
    compiled.bind()
    raise_limit(kernel, list(arguments), shared_bytes)
    given: list[Any] = []
    for kind, argument in zip(compiled.argument_types, arguments, strict=True):
        compiled._prepare_args(kind, argument, 0, [], given)
    values = tuple(getattr(one, "value", one) for one in given)
    kinds = tuple(type(one) if hasattr(one, "value") else ctypes.c_int64 for one in given)
    launch = Launch(KernelKey("", ()), tuple(grid), tuple(block), shared_bytes=shared_bytes, dependent=True)
    function = bindings().CUfunction(int(compiled._codelibrary.get_cufunc().handle))
    bound = BoundLaunch(function, configuration(launch), values, kinds)

    def call(stream: int, kept: Sequence[Any] = tuple(arguments)) -> None:
        bound.enqueue(stream)

    return call
