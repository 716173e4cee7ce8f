"""Runs a kernel over a grid: batches of blocks, about 32 K lanes at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

import numpy as np

from simt.compiling.compiler import compile_function
from simt.compiling.counting import Told
from simt.errors import DeviceFunctionLaunchError, UnsupportedError
from simt.events import Launch, Listener
from simt.events.ears import how_much_is_told
from simt.events.emit import Emitter
from simt.lanes.batch import BatchState, Options
from simt.lanes.meter import Meter
from simt.launching.arguments import bind_arguments
from simt.launching.geometry import Dim3, block_batches, check_bounds, check_cooperative, check_launch, volume
from simt.launching.kept_memory import keep_freed_memory
from simt.source.only_read import only_read_arguments
from simt.source.recognise import python_function
from simt.values.unasked import held, text_held

LANES_PER_BATCH = 1 << 15  # keeps every temporary inside the L2 cache

heard_by: list[Listener] = []  # who listens to every launch, beside those that a launch names


def launch(
    kernel,
    grid,
    block,
    *args,
    dynamic_shared_bytes: int = 0,
    listeners: Iterable[Listener] = (),
    seed: int | None = None,
    lockstep: bool = True,
    deadline: float | None = None,
    strict: bool = True,
    debug: bool = False,
    initialised: Collection[str] | Callable[[str], bool] | None = None,
    meter: Meter | None = None,
    together: int = 0,
    sample: int = 0,
) -> None:
    """Run ``kernel[grid, block](*args)`` on the CPU. Arrays are changed in place.

    Args:
        kernel: a plain function or anything jitted by numba.cuda.
        grid, block: an int or a tuple of up to three.
        args: NumPy arrays, DeviceArrays, scalars, records and tuples of them.
        listeners: analyses that are told every event.
        seed: shuffles the order in which blocks run, and that in which the lanes of one store or atomic take their
            turn, so that what depends on either shows. None: ascending. But for 0, a branch's lanes come in groups.
        lockstep: False lets some warps run ahead of others between barriers, in an order drawn by the seed (or 0).
        deadline: `simt.lanes.meter.worked_s()` value after which DeadlineExceeded is raised; a guard against a hang.
        strict: raise on the first index out of bounds; otherwise listeners are told and those lanes skip the access.
        debug: raise what the kernel raises, as numba does for jit(debug=True).
        initialised: names of array arguments that start with values (or a predicate); reading a cell of any other
            before it was written is an error for the listeners. None: all but fresh device arrays.
        meter: counts the steps of this launch, and of others that share it; past its limit TooMuchWork is raised.
        together: how many blocks run at a time, as if the GPU had places for no more; the next ones start when all of
            these have ended. 0: as many as is quick. For kernels whose blocks wait for each other.
        sample: run about so many blocks and no others; 0, and where the grid has a barrier: all.
    Raises:
        InvalidLaunchError, UnsupportedError, OutOfBoundsError, DeadlockError, TooMuchWork and others of errors.py.
    """
    grid, block = check_launch(grid, block, dynamic_shared_bytes)
    function = _function_of(kernel, grid, block)
    listeners = (*listeners, *heard_by)
    seed = 0 if seed is None and not lockstep else seed
    compiled = compile_function(function, how_much_is_told(listeners))
    if compiled.syncs_grid:
        check_cooperative(grid, block)
        together, sample = volume(grid), 0
    together = 1 if compiled.locks_blocks else together  # who has the lock waits at a barrier for who waits for it
    arguments = bind_arguments(compiled, args, initialised, getattr(kernel, "simt_signature", None))
    options = Options(
        grid, block, dynamic_shared_bytes, strict, debug, deadline, kernel is not function, seed, lockstep
    )
    options.device_arrays = arguments.captured
    options.meter = meter or options.meter
    only_read = only_read_arguments(compiled.node, arguments.infos) if listeners else frozenset()
    emit = None
    if listeners:
        told = Launch(compiled.name, grid, block, arguments.all_arrays(), dynamic_shared_bytes, only_read)
        emit = Emitter(listeners, told)
        emit.launch_begins()
    try:
        _run_batches(compiled, options, arguments.variables, emit, together, sample)
    except BaseException:
        arguments.write_back(only_read)  # what it would have written nobody knows
        raise
    heard = not sample and any(getattr(listener, "hears_what_is_written", False) for listener in listeners)
    arguments.write_back(only_read, heard)
    if emit is not None:
        emit.launch_ends()
    _raise_first(options.raised if debug else [])


def _function_of(kernel, grid: Dim3, block: Dim3) -> Callable:
    """The Python function of a kernel.

    Raises: UnsupportedError, DeviceFunctionLaunchError for what is none, InvalidLaunchError for one that was compiled
    for smaller blocks.
    """
    function = python_function(kernel)
    if function is None:
        kind = text_held(type(kernel), "__name__")
        raise UnsupportedError(f"an object of type {kind} is no kernel: pass a function, plain or jitted by numba.cuda")
    options = held(kernel, "targetoptions") or {}
    check_bounds(options.get("launch_bounds"), grid, block, function.__name__)
    if options.get("device"):
        raise DeviceFunctionLaunchError(
            f"Cannot compile a device function as a kernel: {function.__name__} is one. Call it from a kernel, or "
            "leave device=True out of its @cuda.jit."
        )
    return function


def waits_for_grid(kernel) -> bool:
    """Whether a kernel, or a function it calls, has a barrier of the whole grid; False for one that is none."""
    function = python_function(kernel)
    return function is not None and compile_function(function, how_much_is_told(())).syncs_grid


def _run_batches(compiled, options: Options, variables: dict, emit: Emitter | None, together: int, sample: int) -> None:
    """Run the blocks of a grid, `together` at a time (0: as many as is quick), or a sample of them."""
    per_batch = together or max(1, LANES_PER_BATCH // volume(options.block))
    keep_freed_memory()
    with np.errstate(all="ignore"):
        for block_ids in block_batches(volume(options.grid), per_batch, options.seed, sample):
            if emit is None:
                _run_batch(compiled, options, block_ids, variables, None)
                continue
            emit.batch_begins(block_ids)
            if emit.anybody_hears:
                _run_batch(compiled, options, block_ids, variables, emit)
            else:  # behind a sample of blocks, a batch runs as it does where nobody listens
                plain = compile_function(compiled.function, Told.NOTHING)
                _run_batch(plain, options, block_ids, variables, None)
            emit.batch_ends()


def _run_batch(compiled, options: Options, block_ids: np.ndarray, variables: dict, emit: Emitter | None) -> None:
    batch = BatchState(options, block_ids, emit)
    batch.check_deadline()
    batch.root.variables.update(variables)
    compiled.body(batch.root, batch.root.full)
    batch.root = None  # the two name each other: without this, arrays of past batches wait for the garbage collector


def _raise_first(raised: list) -> None:
    """Raise what a debug kernel raised, if it did, with its thread, in numba's words."""
    if not raised:
        return
    kind, values, _, block, thread = raised[0]
    text = f"tid={list(thread)} ctaid={list(block)}"
    if values:
        raise kind(f"{text}: {values[0]}", *values[1:])
    raise (kind if isinstance(kind, type) and issubclass(kind, BaseException) else RuntimeError)(text)
