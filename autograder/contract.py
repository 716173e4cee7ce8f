"""The contract of an exercise, as plain frozen data.

A unit (``autograder/exercises/uNN_topic/``) builds one `Exercise` per rung. Nothing here runs
a kernel: judges read these records, the course quotes them, and the tests prove them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.running.cases.domain import Domain, Promises

if TYPE_CHECKING:
    from autograder.diagnosis.arithmetic import Count, PredictedCase

Values = dict[str, Any]  # argument name -> NumPy array or scalar, in the order of `Exercise.arguments`
Outputs = Mapping[str, Any]  # output name -> NumPy array or scalar
Sizes = Mapping[str, int]  # size name -> elements, as in {"n": 1025}
AT_THE_END, ZEROS = "at the end", "zeros"  # kinds of values: see `Case`
RISING, FALLING, LOWEST, HIGHEST, OPPOSED, EXTREME, TINY, NOT_ABOVE_0 = PATTERNS = (
    *("rising", "falling", "lowest", "highest"),
    *("lowest and highest", "extreme", "tiny", "no positive"),
)
ADDED = {AT_THE_END: "infinity at the end", ZEROS: "zeros in the middle"}
CORNERS = ("size", "value")
ADDED |= {pattern: f"{pattern} values" for pattern in PATTERNS}  # kinds that follow from a domain


@dataclass(frozen=True)
class Argument:
    """One parameter of the learner's function.

    role: "in" (must not change), "out" (poisoned before every launch), "inout" (starts as the contract says), "scalar",
    or "scratch" (poisoned like an output and never compared: room to work in, so that a call allocates nothing).
    """

    name: str
    role: str
    dtype: str  # NumPy name, as in "float32"
    shape: str = ""  # in words, as in "(n,)" or "(n_rows, n_cols)"; "" for a scalar
    meaning: str = ""  # one clause for the task text, as in "the sum of each block"


@dataclass(frozen=True)
class Case:
    """One set of sizes to try, and the kind of values to try it with.

    values: "exact" (integer-valued: every order of arithmetic gives the same bytes, so tolerance is zero, unless the
    exercise `rounds`), "general" (judged by the exercise's error bound), "special" (NaN, infinities, extremes;
    NaN-aware), "nonfinite" (general values with NaN and infinities among them, for arithmetic that the largest finite
    numbers would overflow), "at the end" (general values but for one infinity, which is the last element: no other
    hides what a mask by multiplication makes of it) or "zeros" (exact values but for three zeros in the middle of every
    array). No contract makes the last two: the judge does, and those of `PATTERNS`, which the domain describes.
    """

    sizes: Sizes
    values: str = "exact"
    trace: bool = True  # False for sizes too large to trace; they still run untraced
    launch: tuple = ()  # (grid, block) in place of the contract's, for kernels that promise to be right for any
    last: bool = False  # True: for answers that are right otherwise, as sizes far out of the ordinary are
    corner: str = ""  # "size", "value", or the name of an `Input`: derived from the domain, and run once
    scalars: tuple[tuple[str, float], ...] = ()  # what some scalars are in place of what the contract makes

    @property
    def demanding(self) -> bool:
        """Whether only an answer that is right otherwise should meet it: it explains less than an ordinary case."""
        return self.last or bool(self.launch) or self.values in ("nonfinite", AT_THE_END, ZEROS)

    @property
    def name(self) -> str:
        """What a verdict calls the case, as in ``n = 1025`` or ``n = 1025, launched as 3 x 96``."""
        text = ", ".join(f"{name} = {size}" for name, size in self.sizes.items())
        if self.launch:
            text += f", launched as {self.launch[0]} x {self.launch[1]}"
        text += "".join(f", {name} = {value:g}" for name, value in self.scalars)
        if self.corner not in ("", *CORNERS):
            return f"{text} ({self.corner})"
        if self.values in ADDED:
            return f"{text} ({ADDED[self.values]})"
        return text if self.values == "exact" else f"{text} ({self.values} values)"


@dataclass(frozen=True)
class Cost:
    """What one launch asks of global memory (bytes, atomics included once each way) and of the arithmetic units.

    Counted for the exercise's own solution and tested against the trace, to the byte and to the flop: additions,
    subtractions and multiplications of floats, those of atomics included. The roofline uses the compulsory minimum of
    bytes instead: each array once, taken from the arguments themselves.
    """

    read_bytes: int
    write_bytes: int
    flops: int = 0


@dataclass(frozen=True)
class Library:
    """What a user would call instead. call: (torch, values with arrays as tensors) -> anything."""

    name: str  # as in "torch.add"
    call: Callable[[Any, Values], Any]


@dataclass(frozen=True)
class Rate:
    """What a kernel's speed is told in where bytes do not bound it. work: sizes -> how much one call does of it."""

    unit: str  # per second, as in "TFLOP/s"
    work: Callable[[Mapping[str, int]], float]


@dataclass(frozen=True)
class SpeedPolicy:
    """How speed earns points on a GPU: by position between the naive kernel (0) and the reference (1)."""

    points: float
    sizes_for: Callable[[int], dict[str, int]]  # bytes the timed arrays should occupy -> sizes
    zero_at: float = 0.25  # position that earns nothing
    full_at: float = 0.85  # position that earns everything; linear between
    library: Library | None = None  # timed in the same rounds, where it is installed
    rate: Rate | None = None  # where bytes per second say nothing of it


@dataclass(frozen=True)
class Budget:
    """A counter that a right answer must also stay within, on one case of the exercise.

    counter: a key of `simt.Trace.counters`, one of the ratios in `autograder.diagnosis.budget.RATIOS` such as
    "global_load_sectors_per_request", or a number of the machine code from `autograder.lint.report.COMPILED`, which is
    the same in every case and is not judged where there is no compiler.
    """

    counter: str
    at_most: float
    sizes: Sizes
    why: str  # one sentence a learner reads when the budget is missed; says what the number means
    misconception: str  # keys the hint
    floor: bool = False  # True: the limit is the least that a right answer must reach, in place of the most
    quiet: bool = False  # True: told where it is missed alone, as a share that holds at other sizes, too


@dataclass(frozen=True)
class Slip:
    """A wrong output that betrays its cause: what `produces` returns is what the misconception computes."""

    misconception: str
    says: str  # the sentence the learner reads, as in "the last pair was never added"
    produces: Callable[[Values], Outputs]


@dataclass(frozen=True)
class Hint:
    """A ladder of hints for one misconception: nudge, concept, place, skeleton. "start" is the last resort."""

    misconception: str
    ladder: tuple[str, ...]


@dataclass(frozen=True)
class Guess:
    """Something to predict that no counter tells; its truth is measured, not written down.

    kind: "index", the place in an output that a thread of the answer stores to; about: (block, thread, output), for
          its first store there, or (block, thread, output, k), for the one after k others.
          "prints", what a line of a kernel prints; about: (the line,).
          "line", the line of the draft that its verdict names.
          "faster", which of two was faster where both were recorded; about: (row, row) of `FASTER`.
          "returns", what the answer, a host function, returns; about: what it is called with, an array as a tuple.
    result: which of the results a "returns" asks for, and which number of it.
    asks: the question, as the table repeats it.
    """

    kind: str
    asks: str
    about: tuple = ()
    why: str = ""  # the reason, read beside the truth
    result: tuple[int, int] = (0, 0)


FASTER = {"mine": "time_us", "naive": "naive_us", "copy": "copy_us", "library": "library_us"}  # what a guess may name
GUESSES = ("index", "prints", "line", "faster", "returns")


@dataclass(frozen=True)
class Exercise:
    """Everything the judges, the course and the drills know about one exercise.

    kind "kernel": the learner writes a kernel; `launch(values)` is part of the contract and the notebook shows it.
    kind "host": the learner writes a host function, which may allocate, copy and launch what it likes.
      arrays "host": called with the "in", "inout" and "scalar" arguments as NumPy values; returns the "out" arguments
      in order (one array or scalar, or a tuple of them).
        `stand_ins` makes an object of some of them, afresh for every call, as of devices whose clock the judge holds.
      arrays "device": called with every argument, arrays on the device, outputs to be filled; returns nothing.
      arrays "pinned": called with every argument, arrays in pinned host memory, outputs to be filled and complete when
      the function returns; returns nothing.
    """

    id: str  # "reductions.block_sum"
    unit: str  # "06_reductions"
    title: str  # the idea of the rung, as in "Neighbours stay neighbours"
    task: str  # two sentences
    function: str  # the name the learner defines
    arguments: tuple[Argument, ...]
    make: Callable[[Sizes, str, np.random.Generator], Values]  # (sizes, values kind, rng) -> all arguments
    oracle: Callable[[Values], Outputs]  # expected outputs, float64 or exact; one left out may hold anything
    cases: tuple[Case, ...]
    points: float
    topics: tuple[str, ...]  # ids of the topic list, as in ("A2", "D1")
    hints: tuple[Hint, ...] = ()  # a unit's are in its hints.md, which `with_hints` lays beside the contracts
    kind: str = "kernel"
    arrays: str = "host"  # for kind "host": where the arrays are when the function is called
    launch: Callable[[Values], tuple] | None = None  # -> (grid, block) or (grid, block, dynamic_shared_bytes)
    launches: tuple[tuple, ...] = ()  # other (grid, block) that it must be right for: see `Case.launch`
    free_sizes: tuple[str, ...] = ("n", "n_rows", "n_cols")  # sizes that may be any number, so that one is drawn
    bound: Callable[[Values, Mapping], Mapping] | None = None  # absolute error allowed per output; None: exact
    naive: str = ""  # the function of the unit's `naive.py` that speed is measured against; "" for none
    naive_launch: Callable[[Values], tuple] | None = None  # where the naive kernel wants another launch
    cost: Callable[[Values], Cost] | None = None
    moves: Callable[[Values], tuple[int, int]] | None = None  # bytes that must be read, written; None: `must_move`'s
    speed: SpeedPolicy | None = None
    budgets: tuple[Budget, ...] = ()
    slips: tuple[Slip, ...] = ()
    predictions: Mapping[str, str] = field(default_factory=dict)  # q.predict keyword -> counter or ratio it names
    reasons: Mapping[str, Callable[[PredictedCase], Count]] = field(default_factory=dict)  # keyword -> why so many
    guesses: Mapping[str, Guess] = field(default_factory=dict)  # q.predict keyword -> what it asks beside counters
    why: str = ""  # why the answer is right, or fast: two sentences that a learner reads after *right*
    predict_case: Sizes | None = None  # the case whose counters `predict` and `show` use; default: first traced case
    allow_float64: bool = False  # True: double precision on float32 arguments is fine here; else it fails the check
    example: Sizes = field(default_factory=dict)  # sizes of the task's picture, where small ones of its own are better
    as_made: tuple[str, ...] = ()  # arrays of that picture in which digits would say nothing: shares, chances, times
    shown: Callable[[Values], Mapping[str, tuple | None]] | None = None  # what it shows of arrays: see `tasks.part`
    drawn: Callable[[Exercise, Any], Any] | None = None  # (exercise, task) -> a picture of its own
    calls: tuple[tuple[str, str, str, str], ...] = ()  # a picture of who calls whom, what, and what comes back
    stand_ins: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)  # argument -> what a call gets for it
    compared: Callable[[Values, Outputs, Mapping[str, Any]], str] | None = None  # see `diagnosis.outputs.compared_in`
    by_order: bool = False  # True: judged by what streams, events and graphs order, which a class records as well
    host_finishes: bool = False  # True: a part of the result is the host's own
    on_host: bool = False  # True: a host function that works on arrays and launches nothing
    waits: bool = False  # True: blocks wait for each other, so each case runs with few blocks at a time as well
    queue: str = ""  # the argument that hands out the work, 0 at first: past its end, there is nothing left to do
    rounds: bool = False  # True: no values make its arithmetic exact, so that every case is judged by its bound
    one_infinity: bool = True  # False: right formulas disagree about an infinite element, so no case adds one
    domain: Domain = field(default_factory=Domain)  # what may come, of which the cases are examples
    promises: Promises = field(default_factory=Promises)  # what the text says beside values
    capability: tuple[int, int] | None = None  # the compute capability whose instructions it needs; None: any
    uses: tuple[str, ...] = ()  # ids of earlier exercises whose solution cells this one calls

    def expected_of(self, values: Values) -> Outputs:
        """What the oracle says of these values. Infinities and zeros among them are meant: NumPy need not warn."""
        with np.errstate(all="ignore"):
            return self.oracle(values)

    def launched_for(self, case: Case) -> Exercise:
        """The same, with the launch of a case that has one of its own."""
        return replace(self, launch=lambda _: case.launch) if case.launch else self

    def is_exact(self, case: Case) -> bool:
        """Whether a right answer gives every bit of the oracle's results in this case."""
        return case.values in ("exact", ZEROS) and not self.rounds

    def bounds_of(self, values: Values, expected: Outputs) -> Outputs:
        """The absolute error allowed for each output, as its bound says; empty without one."""
        with np.errstate(all="ignore"):
            return self.bound(values, expected) if self.bound else {}

    def must_move(self, values: Values) -> tuple[int, int]:
        """Bytes that any right answer reads, and writes: inputs and outputs once, but where data decide."""
        if self.moves is not None:
            return self.moves(values)
        n_bytes = {argument: np.asarray(values[argument.name]).nbytes for argument in self.arguments}
        read, written = (
            sum(n for argument, n in n_bytes.items() if argument.role in roles)
            for roles in (("in", "inout"), ("out", "inout"))
        )
        return read, written

    @property
    def names(self) -> frozenset[str]:
        """Of all arguments."""
        return frozenset(argument.name for argument in self.arguments)

    @property
    def outputs(self) -> tuple[Argument, ...]:
        """The arguments the learner's code writes."""
        return tuple(argument for argument in self.arguments if argument.role in ("out", "inout"))

    @property
    def signature(self) -> str:
        """The call, as in ``vector_add(a, b, out)``; functions on host arrays return their outputs instead."""
        returns = self.kind == "host" and self.arrays == "host"
        names = [argument.name for argument in self.arguments if not (returns and argument.role == "out")]
        return f"{self.function}({', '.join(names)})"
