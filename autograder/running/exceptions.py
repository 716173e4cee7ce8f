"""What a run raised becomes a cause: the learner's exceptions, the interpreter's refusals, a lost GPU context."""

from __future__ import annotations

import re
import traceback
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import simt
from autograder.answer.program import Program
from autograder.diagnosis.advice.readers import fixed_turns
from autograder.diagnosis.misconceptions import behind, remedy_for
from autograder.outcome import Cause
from autograder.running.host_code.divisions import zero_divided_by
from autograder.running.host_code.habits import of_device_arrays, returned_nothing
from autograder.running.host_code.host_lines import EndlessLoop, TooManyLaunches, TooManyLines
from autograder.running.runs import ReturnError, words_of
from autograder.words import as_sentence
from simt.refusals.cuda_c import instead_of
from simt.refusals.names import NOT_YET

SIMT_ERRORS = {  # class name -> status of the case, kind of the cause
    "InvalidLaunchError": ("wrong", "invalid_launch"),
    "DeadlineExceeded": ("timed_out", "too_much_work"),
    "TooMuchWork": ("timed_out", "too_much_work"),
    "DeadlockError": ("timed_out", "deadlock"),
    "UnsupportedError": ("not_run", "unsupported"),
    "KernelTypeError": ("wrong", "compile_error"),
    "KernelNameError": ("wrong", "compile_error"),
    "OutOfBoundsError": ("wrong", "out_of_bounds"),
    "MisalignedError": ("wrong", "misaligned"),
    "PlacesOutOfOrderError": ("wrong", "places_out_of_order"),
    "TileNotShownError": ("wrong", "tile_not_shown"),
    "ProductUnderWayError": ("wrong", "product_under_way"),
    "BarrierDivergenceError": ("wrong", "barrier_divergence"),
}

FEW = 32  # of so many threads at most one works: then the loop is somebody's who does the work of all

GENERAL = {"shared_shape": "shared_shape", "returns_value": "returns_value"}  # refusals with hints of their own

CUDA_ERRORS = ("CudaAPIError", "CUDAError")
CONTEXT_LOST = "The kernel read or wrote memory that is not its own, and the GPU context was lost."
NOTHING_WRONG_HERE = "Nothing is wrong with this notebook: a fresh process takes over."
NO_ROOM = "The blocks of this grid wait for each other, and the GPU has no room for all of them at once: it refuses."
TOO_LONG = "It did not end in time: a loop that never finishes, or far too much work."
SHARE_OUT = "Share the work out: let each thread take elements of its own, as i = cuda.grid(1) does."
ALL_REPEAT = f"Every thread goes through all of it. {SHARE_OUT}"
AS_NEEDED = "Let the arguments decide how many turns a thread makes: range(cuda.grid(1), n, cuda.gridsize(1)) does."
ENDS = "Does every loop end? Look at what its condition reads, and whether that changes on every iteration."
SWAP = "A block has at most 1,024 threads: write the number of blocks first, the threads of a block second."
OUR_FAULT = "The interpreter failed on this kernel ({error}). That is a mistake of ours, not of yours."
TOO_MUCH_MEMORY = "The kernel needs more memory than there is for it ({error})."
LESS_MEMORY = "Look at the sizes of local arrays: each thread has its own, of at most 512 KiB on a GPU."
NOT_LOADED = (
    "{library} fails to load on this machine ({error}), so nothing can be run. That is its set-up, not your code."
)
DOCTOR = "Run `warpbook doctor` in a terminal: it names what does not fit together, and the command that mends it."
INSTALLED = ("site-packages", "dist-packages")  # folders of libraries
SIMT_FOLDER = Path(simt.__file__).parent
HOST_API = SIMT_FOLDER / "cuda_api"  # raises what numba's host side would raise
HOST_ARRAYS = SIMT_FOLDER / "host_order" / "host_arrays.py"  # raises what NumPy's arrays would


MADE_A_KERNEL = "{name} is to be a function of the host, which is called and returns a value; @cuda.jit makes a kernel."
TAKE_OFF = "Take @cuda.jit off the line above its def."


class AlreadyRead(Exception):
    """An error that was turned into a cause where it was raised, in another process."""

    def __init__(self, status: str, cause: Cause):
        super().__init__(cause.says)
        self.status, self.cause = status, cause


def loses_context(error: BaseException) -> bool:
    """True for errors of the CUDA driver, after which its context is of no more use."""
    return type(error).__name__ in CUDA_ERRORS


def _driver_words(error: BaseException) -> str:
    """The driver's own name of an error: "CUDA_ERROR_LAUNCH_TIMEOUT"; its first line where it has none."""
    named = re.search(r"CUDA_ERROR_\w+", str(error))
    return named[0] if named else str(error).partition("\n")[0]


def cause_of_error(
    error: Any, line: int, program: Program | None = None, sizes: Mapping[str, int] | None = None
) -> tuple[str, Cause]:
    """What the learner's code raised, as a case status and a cause.

    line: where in their source, 0 if nowhere; program: theirs, which tells what its lines are and which are of others;
    sizes: of the case, where they are known.
    """
    status, cause = (error.status, error.cause) if isinstance(error, AlreadyRead) else _read(error, line, program)
    return status, _where_shared(cause, sizes)


def _read(error: Any, line: int, program: Program | None) -> tuple[str, Cause]:
    """The same, wherever it happened."""
    lines = _lines(error, line, program)
    names = [kind.__name__ for kind in type(error).__mro__]
    name = next((one for one in names if one in SIMT_ERRORS), names[0])
    if isinstance(error, TooManyLines | TooManyLaunches):
        return "timed_out", Cause("too_much_work", "infinite_loop", f"{error}.", ENDS, lines)
    if isinstance(error, EndlessLoop):
        return "timed_out", Cause("deadlock", "infinite_loop", f"{error}.", error.remedy, lines)
    if program is not None and isinstance(error, simt.errors.NotLaunchedError) and error.kernel == program.function:
        return "crashed", Cause("error", "exception", MADE_A_KERNEL.format(name=error.kernel), TAKE_OFF, lines)
    if isinstance(error, ReturnError):
        remedy, told = returned_nothing(error, program)
        return "wrong", Cause("wrong_output", "wrong_return", as_sentence(str(error)), remedy, told or lines)
    if loses_context(error):
        return "crashed", _of_driver(error, lines)
    if name not in SIMT_ERRORS and (library := _library_that_does_not_load(error)):
        says = NOT_LOADED.format(library=library, error=f"{name}: {error}")
        return "not_run", Cause("unsupported", "unsupported", says, DOCTOR, lines)
    if name not in SIMT_ERRORS and _is_ours(error):
        return _of_interpreter(error, name, lines)
    if name not in SIMT_ERRORS:
        return "crashed", Cause("error", "exception", *_of_host(error), lines)
    status, kind = SIMT_ERRORS[name]
    if getattr(error, "reason", ""):
        return "wrong", _refused(error, lines or _decorator(error, program))
    misconception = "grid_does_not_fit" if names[0] == "GridDoesNotFitError" else behind(kind)
    says, remedy = str(error), SWAP if getattr(error, "swapped", False) else remedy_for(misconception)
    if kind == "invalid_launch":
        says, remedy = error.message, remedy if error.swapped else error.remedy or remedy
    if kind == "deadlock":
        says, remedy = error.message, error.remedy or remedy
    if kind == "too_much_work":
        misconception, says, remedy = _too_much(error, program)
    return status, Cause(kind, misconception, says, remedy, lines)


def _lines(error: Any, line: int, program: Program | None) -> tuple[int, ...]:
    """The line that an error names, or `line` where the one it names belongs to another cell."""
    function = getattr(error, "function", "")
    elsewhere = program is not None and bool(function) and function in program.defined_before
    found = line if elsewhere else getattr(error, "line", 0) or line
    return (found,) if found else ()


def _decorator(error: Any, program: Program | None) -> tuple[int, ...]:
    """The line of the answer's decorator, where a signature that stands there does not fit."""
    tree = program.definition if program is not None and error.reason == "signature" else None
    return (tree.decorator_list[0].lineno,) if tree is not None and tree.decorator_list else ()


def _of_interpreter(error: BaseException, name: str, lines: tuple[int, ...]) -> tuple[str, Cause]:
    """What was raised inside the interpreter and is none of its words: our mistake, unless memory was asked for."""
    if isinstance(error, MemoryError):
        return "crashed", Cause("error", "exception", TOO_MUCH_MEMORY.format(error=error), LESS_MEMORY, lines)
    return "not_run", Cause("unsupported", "unsupported", OUR_FAULT.format(error=f"{name}: {error}"), lines=lines)


def _refused(error: Any, lines: tuple[int, ...]) -> Cause:
    """What numba refuses, too: the learner's mistake, told as the lint tells it."""
    if error.reason == NOT_YET:  # it compiled: on another path something was assigned
        says = as_sentence(error.message)
        return Cause("uninitialised_read", "uninitialised_read", says, error.remedy, lines)
    if error.reason == "signature":
        return Cause("compile_error", "not_compiled", as_sentence(error.message), error.remedy, lines)
    return Cause("compile_error", GENERAL.get(error.reason, "not_compiled"), error.message, error.remedy, lines)


def _of_driver(error: BaseException, lines: tuple[int, ...]) -> Cause:
    """What the CUDA driver reported."""
    if "ILLEGAL_ADDRESS" in str(error):
        return Cause("error", "no_guard", f"{CONTEXT_LOST} {NOTHING_WRONG_HERE}", remedy_for("no_guard"), lines)
    if "COOPERATIVE_LAUNCH_TOO_LARGE" in str(error):
        fits = "grid_does_not_fit"
        return Cause("invalid_launch", fits, NO_ROOM, remedy_for(fits), lines)
    says = f"The GPU reported {_driver_words(error)}. {NOTHING_WRONG_HERE}"
    return Cause("error", "exception", says, lines=lines)


def _of_host(error: BaseException) -> tuple[str, str]:
    """What the host's Python raised, in words of ours or its own, and what to write instead."""
    if isinstance(error, simt.errors.NotLaunchedError):
        return error.message, error.remedy
    if "launch configuration was not specified" in str(error):  # where there is a GPU, it is numba that says so
        return (
            "A kernel is called here as if it were a function: nothing says how many blocks to launch, and how many "
            "threads in each.",
            "Write kernel[blocks, threads](...), both numbers in brackets before the arguments.",
        )
    if (said := of_device_arrays(error)) is not None:
        return said
    own = f"{type(error).__name__}: {words_of(error)}".removesuffix(": ")
    if divisor := zero_divided_by(error):
        return f"{own}: `{divisor}` is 0 here.", f"Say what the result is then, as in `... if {divisor} else 0`."
    return own, instead_of(error.name or "") if isinstance(error, NameError) else ""


def _too_much(error: BaseException, program: Program | None) -> tuple[str, str, str]:
    """Misconception, what was seen, and what to do, where the work did not end within its limit."""
    if not isinstance(error, simt.errors.TooMuchWork):
        return "infinite_loop", TOO_LONG, ENDS
    if 0 < error.working * FEW <= error.threads:
        return "one_thread_works", error.message, SHARE_OUT
    if error.of and program is not None and (turns := fixed_turns(program, error.line)):
        return "fixed_turns", f"{error.message} `{turns}` goes round as often for every length.", AS_NEEDED
    return ("one_thread_works", error.message, ALL_REPEAT) if error.of else ("infinite_loop", error.message, ENDS)


def _where_shared(cause: Cause, sizes: Mapping[str, int] | None) -> Cause:
    """The cause; where there is one element, one thread at work is right, and a loop that goes on is not."""
    alone = cause.kind == "too_much_work" and cause.misconception == "one_thread_works"
    if not alone or not sizes or min(sizes.values()) > 1:
        return cause
    return replace(cause, misconception="infinite_loop", remedy=ENDS)


def _is_ours(error: BaseException) -> bool:
    """True when an error that the interpreter does not raise on purpose comes from inside it."""
    frames = traceback.extract_tb(error.__traceback__)
    deepest = Path(frames[-1].filename) if frames else Path()
    return SIMT_FOLDER in deepest.parents and HOST_API not in deepest.parents and deepest != HOST_ARRAYS


def _library_that_does_not_load(error: BaseException) -> str:
    """The installed library that was being loaded when the error came, as where versions do not fit; "" for none."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        folders = Path(frame.filename).parts
        place = next((at for at, folder in enumerate(folders) if folder in INSTALLED), 0)
        if place and frame.name == "<module>":
            return folders[place + 1].removesuffix(".py")
    return ""
