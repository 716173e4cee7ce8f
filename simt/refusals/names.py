"""Names a kernel cannot use: undefined, misspelt, or belonging to the host."""

from __future__ import annotations

import builtins
import difflib
from collections.abc import Iterable

from simt.refusals import Refusal
from simt.refusals.cuda_c import instead_of
from simt.refusals.language import DEBUGGERS, debugger

CONSTANTS = "Pass it as an argument. Module constants may be numbers, tuples of numbers and NumPy arrays."

INDICES = ("i", "j", "k", "t", "tx", "ty", "x", "y", "row", "col", "idx", "index", "tid")  # of a thread's own place

ONLY_COMPILED = frozenset(  # by numba-cuda, of Python and NumPy: see tests/simt/compiling/compiled_calls.py
    "getattr hasattr repr str array_equal atleast_1d atleast_2d atleast_3d matrix_rank nan_to_num nditer".split()
)

NOT_YET = (
    "not_assigned_yet"  # no refusal of numba's where another path assigns: it compiles, and reads whatever is there
)


def undefined(name: str, known: Iterable[str]) -> Refusal:
    """known: the names that the function could have meant, its own and those of its module."""
    if remedy := instead_of(name):
        return Refusal("undefined_name", f"The name `{name}` is not defined.", remedy)
    own = [word for word in known if word != name and word.startswith("_") == name.startswith("_")]
    near = [word for word in own if word.lower() == name.lower()] or difflib.get_close_matches(name, own, n=1)
    near = near or difflib.get_close_matches(name, dir(builtins), n=1, cutoff=0.8)
    remedy = f"Assign or import `{name}` above the kernel; in a notebook, run that cell."
    if near:
        remedy = f"Did you mean `{near[0]}`?"
    elif name in INDICES:
        remedy = f"Give it a value first, as in {name} = cuda.grid(1)."
    return Refusal("undefined_name", f"The name `{name}` is not defined.", remedy)


def not_assigned_yet(name: str) -> Refusal:
    """A variable of the kernel that is read before anything was assigned to it."""
    return Refusal(
        NOT_YET,
        f"The variable `{name}` is read before anything was assigned to it.",
        f"Give `{name}` a value above this line, on every path that leads here.",
    )


def returns_nothing(name: str, text: str) -> Refusal:
    """A device function without `return`, whose value somebody uses. text: the call, as in "place(row, col)"."""
    return Refusal(
        "returns_nothing",
        f"`{name}` ends without `return`, so `{text}` is None and no number.",
        f"End `{name}` with `return` and the value it works out.",
    )


def plain_function(name: str, package: str = "") -> Refusal:
    """A function that no decorator compiles for the GPU. package: of a library that it comes from."""
    if package in DEBUGGERS:
        return debugger(name)
    if package:
        return Refusal(
            "missing_device",
            f"`{name}` is of the host's library {package}; a kernel can only call functions compiled for the GPU.",
            "Write out what it does, in a device function.",
        )
    return Refusal(
        "missing_device",
        f"`{name}` is a plain Python function, and a kernel can only call functions compiled for the GPU.",
        f"Put @cuda.jit(device=True) above `def {name}`.",
    )


def host_function(name: str) -> Refusal:
    """A function of numpy, math or random that a kernel cannot call."""
    return Refusal(
        "missing_device",
        f"`{name}` is a function of the host; it does not exist on the GPU.",
        "Use the functions of `math`, on one number.",
    )


def host_builtin(name: str) -> Refusal:
    """input, open, sorted and so on."""
    if name == "prange":
        return Refusal(
            "host_object",
            "`prange` shares a loop out among the cores of a CPU; it does not exist on the GPU.",
            "There each thread takes elements of its own: `for i in range(cuda.grid(1), n, cuda.gridsize(1)):`.",
        )
    each = "A thread works on one element: write what it does with that one, as in `out[i] = ...`."
    remedy = each if name in ("map", "filter") else "Do this on the host."
    return Refusal("host_object", f"Python's `{name}` belongs to the host; it does not exist on the GPU.", remedy)


def only_compiled(written: str) -> str:
    """written: one of ONLY_COMPILED, as the kernel names it. No refusal: a kernel with it may be right on a GPU."""
    return (
        f"numba compiles `{written}` for some arguments, and the interpreter does not run it: do without it, or "
        "check this kernel on a GPU"
    )


OF_A_DICT = (
    "Give each value that the kernel reads a name of its own at module level, or pass it as an argument. "
    "Keys that are only known while it runs become indices of an array."
)


def host_value(name: str, kind: str) -> Refusal:
    """An object of the surrounding program. kind: its class."""
    if kind == "dict":
        return Refusal("host_object", f"`{name}` is a dict, and a GPU thread has none.", OF_A_DICT)
    return Refusal("host_object", f"`{name}` is a {kind} of the host program, which a kernel cannot use.", CONSTANTS)


def host_list(name: str) -> Refusal:
    """A list or a set of the surrounding program."""
    return Refusal(
        "host_object",
        f"`{name}` is a Python list or set, which a kernel cannot use.",
        f"Make it constant: {name} = np.array({name}).",
    )


def host_of_cuda(written: str) -> Refusal:
    """written: "cuda.synchronize"."""
    remedy = "Inside a kernel the threads of a block meet at cuda.syncthreads(); the rest is done outside the kernel."
    if any(word in written for word in ("to_device", "device_array", "pinned", "mapped", "managed")):
        remedy = "Do this outside the kernel, and pass it the array: what a kernel is given is on the device already."
    return Refusal("host_call", f"`{written}` belongs to the host: a thread cannot call it.", remedy)


def of_another_module(written: str) -> Refusal:
    """written: "numpy.random.rand"."""
    if written.partition(".")[0] in DEBUGGERS:
        return debugger(written)
    remedy = "In a kernel use the functions of `math` on single numbers, and loops over indices."
    if written.startswith(("numpy.random", "random.")):
        remedy = (
            "Make a state for each thread on the host, with create_xoroshiro128p_states of numba.cuda.random, pass "
            "them to the kernel, and draw with xoroshiro128p_uniform_float32(states, cuda.grid(1))."
        )
    return Refusal("host_call", f"`{written}` does not exist on the GPU.", remedy)


def not_in_math(name: str) -> Refusal:
    """name: "gcd", a function of `math` that numba does not compile for the GPU."""
    remedy = "Write cuda.cbrt(x)." if name == "cbrt" else "Write it out, in a device function."
    return Refusal("host_call", f"`math.{name}` does not exist on the GPU.", remedy)


def misspelt(name: str, written: str, known: Iterable[str]) -> Refusal:
    """written: "cuda.threadidx", whose last part is `name`; known: what there is in its place."""
    if remedy := instead_of(name):
        return Refusal("host_call", f"There is no `{written}`.", remedy)
    there = list(known)
    near = [word for word in there if word.lower() == name.lower()] or difflib.get_close_matches(name, there, n=1)
    prefix = written.removesuffix(name)
    remedy = f"Did you mean `{prefix}{near[0]}`?" if near else "Look up its name."
    return Refusal("host_call", f"There is no `{written}`.", remedy)


def odd_symbol(name: str, letter: str) -> Refusal:
    """name: "größe", of which the compiler takes no `letter`."""
    return Refusal(
        "name",
        f"The compiler for the GPU does not take the letter {letter!r} in the name `{name}`.",
        "Spell the name with the letters a to z, digits and _: the code is right otherwise.",
    )
