"""What threads do together: exchanges through shared memory, warp operations, grid-stride loops.

A phase stands at the top level of a kernel, where every thread passes. Between a write to shared memory and a read of
what another thread wrote there is a barrier, so no order of threads changes a result.
"""

from __future__ import annotations

from math import prod

from .expr import ArrayName, kind_of
from .leaves import index
from .limits import STORED, VARIABLE
from .statements import Place, block, indented

FULL = "0xffffffff"
WARP_TYPES = ("int64", "int32", "float64", "float32")
BARRIER = "cuda.syncthreads()"
LINEAR_THREAD = "cuda.threadIdx.x + cuda.blockDim.x * (cuda.threadIdx.y + cuda.blockDim.y * cuda.threadIdx.z)"


def alone(w) -> list[str]:
    """Statements of one thread, with its own branches and loops."""
    lines = []
    for _ in range(w.choices.between(1, 3)):
        lines += block(w, Place(2, returns=(lambda: "return") if w.may_return else None), 2)
    return lines


def exchange(w) -> list[str]:
    """Every thread writes its cell of a shared array, then reads any."""
    kind = w.choices.pick(w.types)
    shape, cell = shared_layout(w)
    name = w.fresh("sh")
    extents = str(shape[0]) if len(shape) == 1 else str(shape)
    if len(shape) == 1 and not w.dynamic_bytes and w.choices.chance(20):
        w.dynamic_bytes = shape[0] * ArrayName(name, kind, shape).itemsize
        extents = "0"
    array = ArrayName(name, kind, shape, bits=STORED)
    lines = [f"{name} = cuda.shared.array({extents}, {dtype_name(kind)})"]
    turns = w.choices.between(1, 3) if w.choices.chance(30) else 0
    body = [f"{name}[{cell}] = {w.of_type(kind).text}", BARRIER]
    target, target_kind = w.choices.pick(list(w.scope.variables.items()))
    with w.inside(arrays=(*w.scope.arrays, array)):
        body += [f"{target} = {w.of_type(target_kind).text}", *block(w, Place(1), 2), BARRIER]
    if not turns:
        return lines + body
    return [*lines, f"for {w.fresh('turn')} in range({turns}):", *indented(body)]


def shared_layout(w) -> tuple[tuple[int, ...], str]:
    """Shape of a shared array with a cell for each thread of a block, and the index of a thread's own cell."""
    threads = prod(w.block)
    if w.has("matrices") and len(w.block) == 2 and w.choices.chance(60):
        return (w.block[1], w.block[0]), "cuda.threadIdx.y, cuda.threadIdx.x"
    if w.has("matrices") and threads % 2 == 0 and w.choices.chance(40):
        return (2, threads // 2), "t % 2, t // 2"
    return (threads,), "t" if w.choices.chance(70) else f"{threads - 1} - t"


def tree(w) -> list[str]:
    """A reduction over the block, as people write it; for blocks of a power of two."""
    threads = prod(w.block)
    if threads & (threads - 1):
        return exchange(w)
    kind = w.choices.pick([kind for kind in w.types if kind in ("int64", "int32", "float64", "float32")])
    name, stride, target = w.fresh("sh"), w.fresh("stride"), w.fresh("t")
    combine = w.choices.pick(("{0} += {1}", "{0} = max({0}, {1})", "{0} = min({0}, {1})"))
    if kind.startswith("f"):
        combine = "{0} += {1}"
    change = combine.format(f"{name}[t]", f"{name}[t + {stride}]")
    lines = [
        f"{name} = cuda.shared.array({threads}, {kind})",
        f"{name}[t] = {w.of_type(kind).text}",
        BARRIER,
        f"{stride} = {threads // 2}",
        f"while {stride} > 0:",
        f"    if t < {stride}:",
        f"        {change}",
        f"    {BARRIER}",
        f"    {stride} //= 2",
        f"{target} = {name}[0]",
        BARRIER,
    ]
    w.constant(target, kind, VARIABLE + 1)
    return lines


def shared_histogram(w) -> list[str]:
    """Atomic updates of shared cells, which no thread reads before a barrier."""
    kind = w.choices.pick(w.atomic_types)
    name, counter, cells = w.fresh("h"), w.fresh("k"), w.choices.pick((8, 5, 13))
    operation = w.choices.pick(("add", "max", "min", "xor", "or_"))
    array = ArrayName(name, kind, (cells,), bits=VARIABLE)
    lines = [
        f"{name} = cuda.shared.array({cells}, {kind})",
        f"for {counter} in range(t, {cells}, {prod(w.block)}):",
        f"    {name}[{counter}] = {w.choices.between(0, 3)}",
        BARRIER,
        f"cuda.atomic.{operation}({name}, {index(w, array, 0, 1)}, {w.of_type(kind).text})",
        BARRIER,
    ]
    with w.inside(arrays=(*w.scope.arrays, array)):
        lines += block(w, Place(1), 2)
    return [*lines, BARRIER]


def counting_barrier(w) -> list[str]:
    """A barrier that counts or combines what its threads say."""
    name, target = w.choices.pick(("syncthreads_count", "syncthreads_and", "syncthreads_or")), w.fresh("t")
    line = f"{target} = cuda.{name}({'int64' if w.portable else 'int32'}({w.condition().text}))"
    w.constant(target, "int64" if w.portable else "int32")
    return [line.replace("= ", "= int64(", 1) + ")" if w.portable else line]


def shuffle(w) -> list[str]:
    """Lanes read each other's registers."""
    kind = w.choices.pick([kind for kind in w.types if kind in WARP_TYPES])
    target, value = w.fresh("t"), w.of_type(kind).text
    name = w.choices.pick(("shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync"))
    amount = str(w.choices.between(0, 31)) if w.choices.chance(60) else f"({w.integer(1).text} & 31)"
    w.constant(target, kind, STORED if kind == "int64" else 64)
    return [f"{target} = cuda.{name}({FULL}, {value}, {amount})"]


def butterfly(w) -> list[str]:
    """Every lane gets the combination of a whole warp."""
    name, offset = w.fresh("t"), w.fresh("o")
    combine = w.choices.pick(("{0} += {1}", "{0} ^= {1}", "{0} = max({0}, {1})"))
    change = combine.format(name, f"cuda.shfl_xor_sync({FULL}, {name}, {offset})")
    value = w.of_type("int64").text
    w.variable(name, "int64")
    return [
        f"{name} = int64({value})",
        f"{offset} = 16",
        f"while {offset} > 0:",
        f"    {change}",
        f"    {offset} >>= 1",
    ]


def vote(w) -> list[str]:
    """Lanes agree on a condition."""
    name, target = w.choices.pick(("all_sync", "any_sync", "eq_sync", "ballot_sync")), w.fresh("t")
    line = f"{target} = cuda.{name}({FULL}, {w.condition().text})"
    if name == "ballot_sync":
        line = f"{target} = uint32({line.split(' = ', 1)[1]})"
    w.constant(target, "uint32" if name == "ballot_sync" else "bool")
    return [line]


def match(w) -> list[str]:
    """Lanes find those that hold the same value."""
    target, kind = w.fresh("t"), w.choices.pick(("int32", "int64"))
    value = f"{kind}({w.integer().text} % {w.choices.between(1, 5)})"
    w.constant(target, "uint32")
    if w.choices.chance(60):
        return [f"{target} = uint32(cuda.match_any_sync({FULL}, {value}))"]
    flag, bits = w.fresh("t"), w.fresh("t")
    w.constant(flag, "bool")
    return [f"{bits}, {flag} = cuda.match_all_sync({FULL}, {value})", f"{target} = uint32({bits})"]


def grid_stride(w) -> list[str]:
    """Threads share the cells of an array, one grid's width apart."""
    cells = prod(w.block) * prod(w.grid) + w.choices.between(0, 20)
    array = w.output(w.choices.pick(w.types), (cells,))
    counter = w.fresh("k")
    total = str(prod(w.block) * prod(w.grid))
    if len(w.block) == 1 and w.choices.chance(60):
        total = "cuda.gridsize(1)"
    with w.inside():
        known = f"{counter}i" if w.portable else counter
        lines = [f"{known} = int64({counter})"] if w.portable else []
        w.constant(known, "int64", 12)
        lines += block(w, Place(1, in_loop=False), 2)
        lines += [f"{array.name}[{counter}] = {w.of_type(array.type).text}"]
    return [f"for {counter} in range(i, {array.name}.shape[0], {total}):", *indented(lines)]


def dtype_name(kind: str) -> str:
    """How a kernel names an element type."""
    return "boolean" if kind_of(kind) == "b" else kind
