"""A whole program: module text, launch, arguments; and how one is written from a list of decisions."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from . import phases
from .choices import Choices, from_seed, replayed
from .devices import device_functions
from .effects import Counter, new_counter
from .expr import FLOATS, ArrayName, is_integer, kind_of
from .prologue import local_arrays, tables, views
from .statements import declare_variables, indented
from .writer import Writer

BLOCKS_OF_WARPS = ((32,), (64,), (96,), (16, 4), (8, 4), (32, 2), (4, 4, 2), (8, 2, 4))
BLOCKS = ((16,), (7,), (33,), (64,), (5, 3), (4, 4), (8, 8), (3, 2, 4), (2, 2, 2))
PORTABLE_BLOCKS = ((4,), (8,), (7,), (3, 2), (2, 2, 2))
GRIDS = {1: ((1,), (2,), (3,), (5,)), 2: ((1, 1), (2, 1), (2, 2)), 3: ((1, 1, 1), (2, 1, 2))}


@dataclass(frozen=True)
class Argument:
    """An argument of the kernel. shape: of an array, or None for a scalar; fill: seed of its values, None for zeros
    and for an output, whose cells start at 77."""

    name: str
    type: str
    shape: tuple[int, ...] | None
    fill: int | None
    is_output: bool = False


@dataclass(frozen=True)
class Program:
    """A kernel named `kernel` and one launch of it.

    types: of the kernel's names; decisions: what the program was written from, for shrinking.
    """

    source: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    dynamic_bytes: int
    arguments: tuple[Argument, ...]
    types: dict[str, str]
    decisions: tuple[int, ...]

    def launch_text(self) -> str:
        names = ", ".join(argument.name for argument in self.arguments)
        extra = f", 0, {self.dynamic_bytes}" if self.dynamic_bytes else ""
        return f"kernel[{self.grid}, {self.block}{extra}]({names})"

    def text(self) -> str:
        """Everything that decides the result, as text: what a recorded answer belongs to."""
        given = "\n".join(
            f"# {a.name}: {a.type}{'' if a.shape is None else list(a.shape)}"
            f"{' output' if a.is_output else ''}, values of seed {a.fill}"
            for a in self.arguments
        )
        return f"{self.source}\n\n{given}\n# {self.launch_text()}\n"

    def fingerprint(self) -> str:
        return hashlib.blake2b(self.text().encode(), digest_size=4).hexdigest()


class KernelWriter(Writer):
    """A Writer that also knows the launch, the arguments, and what a thread may write."""

    def __init__(self, choices: Choices, portable: bool):
        super().__init__(choices, portable)
        blocks = PORTABLE_BLOCKS if portable else BLOCKS_OF_WARPS if self.has("warp") else BLOCKS
        self.block = choices.pick(blocks)
        self.grid = choices.pick(GRIDS[len(self.block)][: 2 if portable else None])
        self.dynamic_bytes = 0
        self.arguments: list[Argument] = []
        self.tables: tuple[ArrayName, ...] = ()
        self.own_arrays: tuple[ArrayName, ...] = ()
        self.counters: tuple[Counter, ...] = ()
        self.may_return = self.has("early") and not (self.has("shared") or self.has("warp"))

    @property
    def threads(self) -> int:
        return prod(self.block) * prod(self.grid)

    @property
    def atomic_types(self) -> tuple[str, ...]:
        return tuple(kind for kind in self.integer_types if kind in ("int32", "int64", "uint32", "uint64"))

    def output(self, kind: str, shape: tuple[int, ...]) -> ArrayName:
        """A new array that the kernel writes."""
        array = ArrayName(self.fresh("out"), kind, shape)
        self.arguments.append(Argument(array.name, kind, shape, None, is_output=True))
        return array

    def input_array(self) -> ArrayName:
        """A new array that the kernel reads."""
        shapes: list[tuple[int, ...]] = [(8,), (13,), (31,), (64,)]
        if self.has("matrices"):
            shapes += [(4, 4), (3, 5), (7, 2), (2, 3, 4)]
        array = ArrayName(self.fresh("a"), self.choices.pick(self.types), self.choices.pick(shapes))
        self.arguments.append(Argument(array.name, array.type, array.shape, self.choices.below(1 << 16)))
        return array

    def scalar(self) -> None:
        """A new scalar parameter."""
        name = self.fresh("s")
        kind = self.choices.pick([k for k in self.types if kind_of(k) in "iuf" and k != "float16"])
        self.arguments.append(Argument(name, kind, None, self.choices.below(1 << 16)))
        self.constant(name, kind)


def write_program(choices: Choices, portable: bool = False) -> Program:
    """A program from decisions; the same decisions give the same program."""
    w = KernelWriter(choices, portable)
    w.scope.arrays = tuple(w.input_array() for _ in range(choices.between(1, 4)))
    module_lines = tables(w)
    for _ in range(choices.between(0, 2)):
        w.scalar()
    scalars, w.scope.constants = w.scope.constants, {}
    arrays, w.scope.arrays = w.scope.arrays, ()
    module_lines += device_functions(w)
    w.scope.constants, w.scope.arrays = scalars, arrays
    body = kernel_body(w)
    parameters = ", ".join(argument.name for argument in w.arguments)
    lines = [*module_lines, "@cuda.jit", f"def kernel({parameters}):", *indented(body)]
    source = "\n".join(lines)
    return Program(source, w.grid, w.block, w.dynamic_bytes, tuple(w.arguments), w.types_of_names, tuple(choices.taken))


def kernel_body(w: KernelWriter) -> list[str]:
    """Index, guard, declarations, phases, and the writes that make every variable visible."""
    lines = thread_index(w)
    cells = w.threads
    if w.may_return:
        cells -= w.choices.between(0, 3)
        lines += [f"if i >= {cells}:", "    return"]
    w.own_arrays = tuple(
        w.output(w.choices.pick(w.types), (cells, 3) if w.has("matrices") and w.choices.chance(30) else (cells,))
        for _ in range(w.choices.between(1, 2))
    )
    if w.has("atomics"):
        w.counters = tuple(new_counter(w) for _ in range(w.choices.between(1, 2)))
        for counter in w.counters:
            array = counter.array
            w.arguments.append(Argument(array.name, array.type, array.shape, 0, is_output=True))
    lines += views(w)
    lines += declare_variables(w)
    lines += local_arrays(w)
    for _ in range(w.choices.between(1, 3)):
        lines += w.choices.pick(phases_for(w))(w)
    return lines + final_writes(w, cells)


def thread_index(w: KernelWriter) -> list[str]:
    """``i``, the thread's number in the grid, and ``t``, its number in the block."""
    convert = "int64({})" if w.portable else "{}"
    if len(w.block) == 1:
        number = w.choices.pick(("cuda.grid(1)", "cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x"))
        lines = [f"i = {convert.format(number)}"]
    elif len(w.block) == 2:
        lines = ["x, y = cuda.grid(2)", f"i = {convert.format('y * cuda.gridsize(2)[0] + x')}"]
    else:
        lines = ["x, y, z = cuda.grid(3)", "sx, sy, sz = cuda.gridsize(3)"]
        lines.append(f"i = {convert.format('(z * sy + y) * sx + x')}")
    lines.append(f"t = {convert.format(phases.LINEAR_THREAD)}")
    w.constant("i", "int64", 12)
    w.constant("t", "int64", 8)
    return lines


def phases_for(w: KernelWriter) -> Sequence:
    kinds = [phases.alone, phases.alone, phases.grid_stride]
    if w.has("shared"):
        kinds += [phases.exchange, phases.exchange, phases.tree, phases.counting_barrier]
        if w.has("atomics"):
            kinds.append(phases.shared_histogram)
    if w.has("warp"):
        kinds += [phases.shuffle, phases.shuffle, phases.butterfly, phases.vote, phases.match]
    return kinds


def final_writes(w: KernelWriter, cells: int) -> list[str]:
    """Every variable goes to an output of its own, most of them of its type."""
    lines = []
    for name, kind in {**w.scope.variables, **w.scope.constants}.items():
        if name in ("i", "t") or name.startswith("s"):
            continue
        wanted = kind
        if is_integer(kind) and w.choices.chance(20):
            wanted = w.choices.pick([*w.integer_types, *(FLOATS if w.has("floats") and not w.portable else ())])
        lines.append(f"{w.output(wanted, (cells,)).name}[i] = {name}")
    for name in w.scope.drifting:
        lines.append(f"{w.output('float64', (cells,)).name}[i] = float64({name})")
    return lines


def program_of_seed(seed: int, portable: bool = False) -> Program:
    """The program of a recorded whole number."""
    return write_program(from_seed(seed), portable)


def program_of_decisions(decisions: Sequence[int], portable: bool = False) -> Program:
    """The program of recorded or shrunken decisions."""
    return write_program(replayed(decisions), portable)
