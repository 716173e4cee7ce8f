"""Calls of CUDA's and numba's functions in one way of many: defaults left out, keywords in their places."""

from __future__ import annotations

import re

from autograder.drills.structure.cpp import SIZES
from autograder.drills.structure.forms import NONE, Form, all_of, is_num, num, rebuilt

ALL_LANES = num(0xFFFFFFFF)
DEFAULTS: dict[str, tuple[int, set[str]]] = {  # from which argument on, and which values say nothing
    "cudaMemcpyToSymbol": (3, {"0", "cudaMemcpyHostToDevice"}),
    "cudaMemcpyFromSymbol": (3, {"0", "cudaMemcpyDeviceToHost"}),
    "cudaStreamWaitEvent": (2, {"0", "cudaEventWaitDefault"}),
    "cudaMallocManaged": (2, {"cudaMemAttachGlobal", "1"}),
    "cudaGraphInstantiate": (2, {"0"}),
    "cudaGraphInstantiateWithFlags": (2, {"0"}),
    "cudaEventRecordWithFlags": (2, {"cudaEventRecordDefault", "0"}),
    "cudaEventRecord": (1, {"0"}),
    "cudaMemcpyAsync": (4, {"0"}),
    "cudaMemsetAsync": (3, {"0"}),
    "cudaStreamCreateWithFlags": (1, {"cudaStreamDefault", "0"}),
    "cudaEventCreateWithFlags": (1, {"cudaEventDefault", "0"}),
    "cudaHostAlloc": (2, {"cudaHostAllocDefault", "0"}),
    "__syncwarp": (0, {"4294967295"}),
    "syncwarp": (0, {"4294967295"}),
    "copy_to_host": (2, {"0"}),
    "copy_to_device": (2, {"0"}),
    "record": (1, {"0"}),
    "wait": (1, {"0"}),
    **{f"{start}shfl{way}_sync": (3, {"32"}) for start in ("__", "") for way in ("", "_up", "_down", "_xor")},
}  # fmt: skip
SAME = {
    "cudaStreamCreateWithFlags": "cudaStreamCreate", "cudaEventCreateWithFlags": "cudaEventCreate",
    "cudaGraphInstantiateWithFlags": "cudaGraphInstantiate", "cudaEventRecordWithFlags": "cudaEventRecord",
    "cudaHostAlloc": "cudaMallocHost", "cudaThreadSynchronize": "cudaDeviceSynchronize",
    "elapsed_time": "event_elapsed_time", "cg.sync": "sync",
}  # fmt: skip
PARAMETERS = {
    **dict.fromkeys(("shared.array", "local.array", "pinned_array", "device_array", "managed_array", "zeros", "empty",
                     "mapped_array"), ("shape", "dtype")),
    "to_device": ("obj", "stream"), "copy_to_host": ("self", "ary", "stream"),
    "copy_to_device": ("self", "ary", "stream"), "record": ("self", "stream"), "wait": ("self", "stream"),
    "syncwarp": ("mask",), "event_elapsed_time": ("evtstart", "evtend"),
}  # fmt: skip
CHECKS = re.compile(r"\w*(?:check|chk|error|safe)\w*|(?:CU|cuda)?(?:_?ASSERT|_?TRY|_?CALL)|\(void\)", re.IGNORECASE)
CLEANUP = {
    "cudaFree", "cudaFreeHost", "cudaStreamDestroy", "cudaEventDestroy", "cudaGraphDestroy", "cudaGraphExecDestroy",
    "free", "close",
}  # fmt: skip
WAITS = {"cudaDeviceSynchronize", "cudaStreamSynchronize"}  # where nothing follows but the end
QUESTIONS = {
    "cudaGetLastError", "cudaPeekAtLastError", "cudaGetErrorString", "printf", "fprintf", "print", "exit", "assert",
}  # fmt: skip
ARITHMETIC = {"__umul24": "*", "__mul24": "*", "__fmul_rn": "*", "__fadd_rn": "+", "__fsub_rn": "-", "__fdiv_rn": "/"}
STREAM_TYPES = {"cudaStream_t", "cudaEvent_t"}


def plain_calls(form: Form, types: dict[str, Form]) -> Form:
    """The form with every call as this module has it. types: declared names with type and dimensions, for sizeof."""

    def change(each: Form) -> Form:
        if each[:1] == ("call",):
            return _call(each, types)
        if each[:1] == ("launch",):
            return (*each[:2], *map(_dimensions, each[2:4]), *each[4:])
        if each[:1] == ("cast",) and each[1] in {*STREAM_TYPES, "void"}:
            return each[2]
        if each[:1] == ("index",) and each[1][:1] == ("member",) and each[1][2] == "shape" and each[2:] == (num(0),):
            return ("member", each[1][1], "size")
        return each

    return rebuilt(form, change)


def _call(form: Form, types: dict[str, Form]) -> Form:
    name, given = form[1], _in_place(form[1], form[2:])
    if name == "sizeof":
        return _sizeof(given[0], types)
    if name == "dim3":
        return _dimensions(form)
    if name in ("len", "dtype") and len(given) == 1:
        return ("member", given[0], "size") if name == "len" else given[0]
    if name in ("grid", "gridsize") and given == (num(1),):
        return GRID if name == "grid" else GRID_SIZE
    if len(given) == 1 and given[0][:1] == ("call",) and given[0][1].startswith("cuda") and CHECKS.fullmatch(name):
        return given[0]
    if name in ARITHMETIC and len(given) == 2:
        return (ARITHMETIC[name], *given)
    if name == "atomic.compare_and_swap" and len(given) == 3:
        name, given = "atomic.cas", (given[0], num(0), *given[1:])
    if name == "cudaStreamBeginCapture":
        given = given[:1]
    if name.endswith("_sync") and given and given[0] == num(-1):
        given = (ALL_LANES, *given[1:])
    if name.endswith("syncwarp") and given == (num(-1),):
        given = ()
    if name in PARAMETERS or name.startswith("atomic."):
        given = tuple(each[1] if each[:1] == ("tuple",) and len(each) == 2 else each for each in given)
    name, given = _without_defaults(name, given)
    return ("call", SAME.get(name, name), *given)


def _without_defaults(name: str, given: tuple) -> tuple[str, tuple]:
    first, values = DEFAULTS.get(name, (len(given), set()))
    while len(given) > first and _said(given[-1]) in values:
        given = given[:-1]
    if name in SAME and name in DEFAULTS and len(given) > first:  # other flags than the default ones
        return f"{name} with flags", given
    return name, given


def _said(form: Form) -> str:
    return "0" if form == NONE else str(form[1]) if form[:1] in (("num",), ("name",)) else ""


def _in_place(name: str, given: tuple) -> tuple:
    """Keywords where their parameters stand."""
    order = PARAMETERS.get(name, ())
    plain = [each for each in given if each[:1] != ("keyword",)]
    named = {each[1]: each[2] for each in given if each[:1] == ("keyword",)}
    while len(plain) < len(order) and order[len(plain)] in named:
        plain.append(named.pop(order[len(plain)]))
    return (*plain, *(("keyword", key, value) for key, value in sorted(named.items())))


def _dimensions(form: Form) -> Form:
    """dim3(n), dim3(n, 1, 1), (n,) and n are one shape."""
    if form[:1] not in (("tuple",), ("call",)) or (form[0] == "call" and form[1] != "dim3"):
        return form
    given = list(form[1:] if form[0] == "tuple" else form[2:])
    while len(given) > 1 and given[-1] == num(1):
        given.pop()
    return given[0] if len(given) == 1 else ("tuple", *given)


def _sizeof(inside: Form, types: dict[str, Form]) -> Form:
    """Of *p and p[0]: an element, a float where nothing says otherwise; of an array that is declared: all of it."""
    if inside[0] == "index" and inside[1][0] == "name":
        kind, _ = types.get(inside[1][1], ("float*", ()))
        return num(SIZES.get(kind.removeprefix("const ").rstrip("*"), 4))
    if inside[0] == "name" and inside[1] in types:
        kind, dimensions = types[inside[1]]
        if dimensions and all(is_num(each, "i") for each in dimensions):
            total = SIZES.get(kind, 4)
            for each in dimensions:
                total *= each[1]
            return num(total)
        if kind in SIZES:
            return num(SIZES[kind])
    return ("call", "sizeof", inside)


def types_of(block: tuple[Form, ...]) -> dict[str, Form]:
    """Types and dimensions of the names that are declared."""
    found = {each[1]: (each[2], ()) for each in all_of(block, "let", "param")}
    for each in all_of(block, "declare"):
        found[each[1]] = (each[2], tuple(size for size in each[4] if size[0] != "filled"))
    return found


def _of(name: str, axis: str) -> Form:
    return ("member", ("name", name), axis)


GRID = ("+", _of("threadIdx", "x"), ("*", _of("blockDim", "x"), _of("blockIdx", "x")))
GRID_SIZE = ("*", _of("blockDim", "x"), _of("gridDim", "x"))
