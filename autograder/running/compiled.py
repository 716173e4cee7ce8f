"""Lint as the judge uses it: which signature to compile, and what its report means for a verdict."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from autograder.answer.program import Program
from autograder.contract import Exercise, Values
from autograder.diagnosis.capability import architectures_of, note_of
from autograder.outcome import Cause
from autograder.running import buffers
from autograder.running.host_code.habits import never_called, wrong_count

NOT_A_KERNEL = Cause(
    "compile_error",
    "not_compiled",
    "This is a plain Python function, which no GPU can launch.",
    "Put @cuda.jit on the line above its def.",
)

FOR_THE_HOST = Cause(
    "compile_error",
    "not_compiled",
    "numba's jit and njit compile for the CPU: this function runs there, one element after the other.",
    "Put @cuda.jit in its place, and let each thread work on elements of its own.",
)
FOR_KERNELS = Cause(
    "compile_error",
    "not_compiled",
    "device=True makes a function that kernels call, and this one is to be launched.",
    "Leave device=True out: @cuda.jit alone makes a kernel.",
)

# Kinds of the lint's errors that name types, or numba's own words: the interpreter may say more of the same line
UNCLEAR = ("other", "wrong_types", "too_many_indices", "array_in_element", "python_object")
BUILDS = "The kernel builds a"  # how the interpreter tells of a list, whose makings numba takes for an array's
NOT_COMPILED = "Not compiled for a GPU here:"  # how the note begins where there is no compiler
SHORT_ONLY = "short_only"  # kind of a cause: right for the lengths that can be tried, and wrong for longer ones
FLOAT_INDEX = "float_index"  # the lint finding about places that are kept in a float32
BARE_CALL = "bare_call"  # the lint finding about a barrier or a wait without its parentheses
WHOLE_ARRAY = "whole_array_reduction"
DROPPED_VALUE = "dropped_value"  # the lint finding about a value that nobody keeps
HABIT = "habit"  # the lint finding about a line that means another thing elsewhere
ACTIVE_MASK = "active_mask"  # the lint finding about votes and shuffles of whoever is here
ENDLESS = "deadlock"  # kind of a cause that is told with the value that its loop drops
EXPLAINED_BY = {  # kinds of findings of the lint that are notes, and the kinds of causes, or the misconceptions behind
    # them, that they are the reason of
    BARE_CALL: ("race", "uninitialised_read"),
    DROPPED_VALUE: ("uninitialised_read", "wrong_output"),
    ACTIVE_MASK: ("order_dependent",),
    HABIT: ("race", "out_of_bounds", "uninitialised_read", "wrong_output"),
}


@dataclass(frozen=True)
class Compiled:
    """What the compiler says about the kernels of an answer. facts: by architecture, JSON-ready.

    code: counters of the machine code, as `autograder.lint.report.COMPILED` names them; empty without a compiler.
    suspects: what compiles, and does not do what it seems to say; each is among the notes as well.
    opcodes: what the kernels do, opcode by opcode, by which answers are compared.
    unclear: the causes among them in which the compiler names a type or itself, and not what is wrong.
    """

    causes: tuple[Cause, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    suspects: tuple[Cause, ...] = ()
    code: dict[str, float] = field(default_factory=dict)
    opcodes: str = ""
    unclear: tuple[Cause, ...] = ()

    @property
    def refused(self) -> bool:
        """True when a kernel does not compile, cannot be launched, or leaves all of the work to every thread."""
        return any(cause.kind in ("compile_error", WHOLE_ARRAY) for cause in self.causes)

    def worded_with(self, causes: Sequence[Cause]) -> Compiled:
        """The same in the words of the interpreter, where it refuses the same line in `causes` and says more."""
        refusals = [cause for cause in causes if cause.kind == "compile_error"]
        better = {
            cause: said
            for cause in self.causes
            for said in refusals
            if said.lines == cause.lines and (cause in self.unclear or BUILDS in said.says)
        }
        return replace(self, causes=tuple(better.get(cause, cause) for cause in self.causes)) if better else self

    def blamed_for(self, causes: Sequence[Cause]) -> Compiled:
        """The same with suspects as first causes, and no longer as notes, where `causes` hold what they explain."""
        found = {cause.kind for cause in causes} | {cause.misconception for cause in causes}
        told_already = {DROPPED_VALUE} if ENDLESS in found else set()
        kinds = {kind for kind, explained in EXPLAINED_BY.items() if found & {*explained}} - told_already
        blamed = tuple(suspect for suspect in self.suspects if suspect.kind in kinds)
        told = {_note(suspect) for suspect in blamed}
        notes = tuple(note for note in self.notes if note not in told)
        return replace(self, causes=(*blamed, *self.causes), notes=notes, suspects=()) if blamed else self


def _not_launchable(kernel: Callable) -> Cause | None:
    """Why this is nothing that a host can launch; None for a kernel."""
    if inspect.isfunction(kernel):
        return NOT_A_KERNEL
    if getattr(kernel, "targetoptions", {}).get("device"):
        return FOR_KERNELS
    return FOR_THE_HOST if type(kernel).__name__ == "CPUDispatcher" else None


def compile_kernel(exercise: Exercise, kernel: Callable) -> Compiled:
    """Compile the learner's kernel for the argument types of the exercise's contract."""
    if _not_launchable(kernel):
        return read_kernel(kernel)
    values = smallest_values(exercise)
    arguments = [values[argument.name] for argument in exercise.arguments]
    return compile_for(exercise, kernel, arguments, _threads(exercise, values))


def compile_for(exercise: Exercise, kernel: Callable, arguments: list, threads: int = 0) -> Compiled:
    """Compile a kernel for these arguments. threads: per block, for occupancy; 0 where it is unknown."""
    from autograder.lint import lint, signature_of, unavailable_reason

    if reason := unavailable_reason():
        return Compiled(_read(kernel), notes=(f"{NOT_COMPILED} {reason}", *note_of(exercise)))
    report = lint(kernel, signature_of(arguments), architectures=architectures_of(exercise))
    facts = {name: _facts(item, threads) for name, item in report.facts.items()}
    if report.error is not None:
        error = report.error
        cause = Cause("compile_error", error.misconception, error.says, error.remedy, error.lines)
        vague = error.kind in UNCLEAR or error.says.startswith("`This ")
        return Compiled((cause,), facts, unclear=(cause,) if vague else ())
    causes, notes, suspects = [], [*note_of(exercise)], []
    for finding in report.findings:
        if (
            finding.severity == "error"
            or finding.kind in (WHOLE_ARRAY, FLOAT_INDEX)
            or _forbidden_float64(exercise, finding, arguments)
        ):
            kind = SHORT_ONLY if finding.kind == FLOAT_INDEX else finding.kind
            causes.append(_cause(finding, "compile_error" if finding.severity == "error" else kind))
        else:
            notes.append(_note(finding))
            suspects += [_cause(finding, finding.kind)] if finding.kind in EXPLAINED_BY else []
    return Compiled(tuple(causes), facts, tuple(notes), tuple(suspects), dict(report.code), report.opcodes)


def read_kernel(kernel: Callable) -> Compiled:
    """What the learner's kernel and its source give away, before anything compiles it."""
    not_launchable = _not_launchable(kernel)
    return Compiled((not_launchable,) if not_launchable else _read(kernel))


def _read(kernel: Callable) -> tuple[Cause, ...]:
    """What the source of a kernel gives away where nothing compiles it."""
    from autograder.lint import helpers_of, source_findings, syntax_of

    function: Any = getattr(kernel, "py_func", kernel)
    tree = syntax_of(function)
    elsewhere = helpers_of(function, elsewhere=True)
    found = source_findings(tree, helpers=helpers_of(function), given=elsewhere) if tree else ()
    return tuple(_cause(one, SHORT_ONLY) for one in found if one.kind == FLOAT_INDEX)


def read_host(function: Callable) -> Compiled:
    """What the source of a host function gives away, before any kernel of it is compiled."""
    return Compiled(notes=tuple(dict.fromkeys(_host_notes(function))))


def _cause(finding, kind: str) -> Cause:
    return Cause(kind, finding.misconception, finding.says, finding.remedy, finding.lines)


def _note(finding) -> str:
    place = f"Line {finding.lines[0]}: " if finding.lines else ""
    return f"{place}{finding.says}"


def whole_arrays(exercise: Exercise, program: Program) -> tuple[Cause, ...]:
    """Reductions that every thread carries out over a whole argument: the cause of all else, so told before any case.

    Read from the source of a kernel; () for a host function, whose kernels are known once it launched them.
    """
    from autograder.lint import source_findings

    tree = program.definition if exercise.kind == "kernel" else None
    if tree is None:
        return ()
    names = [argument.arg for argument in (*tree.args.posonlyargs, *tree.args.args)]
    pairs = zip(names, exercise.arguments, strict=False)
    arrays = frozenset(name for name, argument in pairs if argument.role != "scalar")
    return tuple(
        Cause("whole_array_reduction", "whole_array_reduction", found.says, found.remedy, found.lines)
        for found in source_findings(tree, arrays)
        if found.kind == WHOLE_ARRAY
    )


def compile_launches(exercise: Exercise, launches: list, function: Callable) -> Compiled:
    """Compile every kernel that a host function launched, once for each signature it was launched with.

    function: the host function, whose own source is read for calls without parentheses.
    """
    causes: list[Cause] = []
    suspects: list[Cause] = []
    unclear: list[Cause] = []
    facts: dict[str, Any] = {}
    code: dict[str, float] = {}
    notes = _host_notes(function)
    opcodes: list[str] = []
    seen = set()
    for launched in launches:
        kinds = tuple(f"{np.asarray(value).dtype}{np.ndim(value)}" for value in launched.arguments)
        if (id(launched.kernel), kinds) in seen:
            continue
        seen.add((id(launched.kernel), kinds))
        if (wrong := _wrong_count(launched, function)) is not None:
            causes.append(wrong)
            continue
        compiled = compile_for(exercise, launched.kernel, list(launched.arguments))
        causes += compiled.causes
        notes += compiled.notes
        suspects += compiled.suspects
        facts = facts or compiled.facts
        code = code or compiled.code
        opcodes.append(compiled.opcodes)
        unclear += compiled.unclear
    suspects += never_called(_syntax(function)) if _syntax(function) else ()
    told = tuple(dict.fromkeys(notes)), tuple(dict.fromkeys(suspects))
    return Compiled(tuple(causes), facts, *told, code, " ".join(opcodes), tuple(unclear))


def _wrong_count(launched: Any, function: Callable) -> Cause | None:
    """A launch that does not pass what its kernel takes."""
    from autograder.lint import compile_errors

    kernel = getattr(launched.kernel, "py_func", launched.kernel)
    if not inspect.isfunction(kernel) or compile_errors.wrong_arity(kernel, launched.arguments) is None:
        return None
    return wrong_count(_syntax(function), kernel, compile_errors.parameters(kernel), launched.arguments)


def _syntax(function: Callable) -> Any:
    from autograder.lint import syntax_of

    return syntax_of(function) if inspect.isfunction(function) else None


def _host_notes(function: Callable) -> list[str]:
    """Bare calls in a host function, as notes: the interpreter waits for every launch, so no result shows them."""
    from autograder.lint import source_findings, syntax_of

    tree = syntax_of(function) if inspect.isfunction(function) else None
    return [_note(finding) for finding in source_findings(tree) if finding.kind == BARE_CALL] if tree else []


def smallest_values(exercise: Exercise) -> Values:
    """Arguments of the smallest case that has every element count above zero."""
    cases = [case for case in exercise.cases if all(size > 0 for size in case.sizes.values())] or list(exercise.cases)
    return buffers.make_values(exercise, min(cases, key=lambda case: sum(case.sizes.values())))


def _forbidden_float64(exercise: Exercise, finding, arguments: list) -> bool:
    """Double precision counts against an answer where no argument is float64 and the exercise does not allow it."""
    if finding.misconception != "float64_arithmetic" or exercise.allow_float64:
        return False
    return all(np.asarray(argument).dtype not in (np.float64, np.complex128) for argument in arguments)


def _threads(exercise: Exercise, values: Values) -> int:
    return int(np.prod(exercise.launch(values)[1])) if exercise.launch else 0


def _facts(facts, threads: int) -> dict[str, Any]:
    """The numbers of one architecture that a report shows."""
    from autograder.lint import OccupancyError, theoretical_occupancy

    shown = {"registers": facts.registers, "shared_bytes": facts.shared_bytes, "spill_bytes": facts.spill_bytes}
    digits = facts.architecture.removeprefix("sm_")
    try:
        capability = int(digits[:-1]), int(digits[-1])
        shown["occupancy"] = theoretical_occupancy(capability, threads, facts.registers, facts.shared_bytes).fraction
    except (OccupancyError, ValueError):
        shown["occupancy"] = None
    return shown
