"""Counters of a traced case, and of the machine code, against what a right answer may spend.

A counter is a key of `simt.Trace.counters`, one of `autograder.lint.report.COMPILED`, or one of the RATIOS, which
divide two counters so that the number does not depend on the size of the case.

A contract's limit is what its text explains, which as a rule is what the solution needs. Who writes another loop, reads
a number once more at the edge of a tile or resets a counter himself spends a little more, and is right: what a limit is
there to refuse costs many times as much. So a limit leaves room, unless the text promises the very number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from autograder.answer.program import Program
from autograder.answer.syntax import functions_of
from autograder.contract import Budget, Exercise, Values
from autograder.diagnosis.spending import Counted, sentence
from autograder.lint.report import COMPILED
from autograder.outcome import BudgetResult, Cause
from autograder.running.buffers import make_values
from autograder.running.host_code.transfers import DOUBLES
from autograder.words import as_sentence
from simt.hardware import SECTOR_BYTES
from simt.timing.roofline import ARITHMETIC

TRANSFERS = ("transferred_bytes", "host_to_device_bytes", "device_to_host_bytes")
SECTORS_PER_REQUEST = {
    "global_load_sectors_per_request": "read_bytes",
    "global_store_sectors_per_request": "write_bytes",
}
REQUEST_BYTES = 128  # that 32 lanes ask for, a float32 each
ROOM = 0.1  # of a limit; of the requests, where no access may wait for another
REQUESTS_OF = {f"shared_{way}_bank_conflicts": f"shared_{way}_requests" for way in ("load", "store")}
STORED_AGAIN = 3  # times the bytes that the solution writes
FEW_BYTES = 512  # written: a flag or a sum may be stored again
MOST_OF_NARROW_REQUESTS = 8  # sectors per request; where more are allowed, requests are wider than that


def _ratio(part: str, whole: str) -> Callable[[Mapping, int], float]:
    """One counter over another; 0.0 where nothing was counted."""
    return lambda counters, compulsory: counters.get(part, 0) / counters[whole] if counters.get(whole) else 0.0


def _bytes_over_compulsory(counters: Mapping, compulsory: int) -> float:
    """Bytes that cross between the kernel and memory, in whole sectors, over each array once."""
    sectors = counters.get("global_load_sectors", 0) + counters.get("global_store_sectors", 0)
    return SECTOR_BYTES * sectors / compulsory if compulsory else 0.0


def _flops_per_compulsory_byte(counters: Mapping, compulsory: int) -> float:
    """Arithmetic intensity, as a roofline has it: flops of all types, and of tensor cores, over each array once."""
    flops = sum(counters.get(f"{dtype}_flops", 0) for dtype in ARITHMETIC)
    return flops / compulsory if compulsory else 0.0


RATIOS: dict[str, Callable[[Mapping, int], float]] = {
    "global_load_sectors_per_request": _ratio("global_load_sectors", "global_load_requests"),
    "global_store_sectors_per_request": _ratio("global_store_sectors", "global_store_requests"),
    "shared_load_conflicts_per_request": _ratio("shared_load_bank_conflicts", "shared_load_requests"),
    "shared_store_conflicts_per_request": _ratio("shared_store_bank_conflicts", "shared_store_requests"),
    "divergent_branch_share": _ratio("divergent_branches", "branches"),
    "lanes_at_work": _ratio("thread_instructions", "warp_instructions"),  # Nsight's threads per warp instruction
    "bytes_over_compulsory": _bytes_over_compulsory,
    "flops_per_compulsory_byte": _flops_per_compulsory_byte,
}

_written: dict[tuple[str, str], int] = {}  # by exercise and case: bytes that the solution writes


class UnknownCounterError(KeyError):
    """A budget or a prediction names something the trace does not count."""

    def __init__(self, counter: str, known: list[str]):
        self.counter, self.known = counter, known
        super().__init__(f"the trace counts no {counter!r}. It counts: {', '.join(known)}.")

    def __str__(self) -> str:
        return self.args[0]


def compulsory_bytes(exercise: Exercise, values: Values) -> int:
    """The least that must cross, both ways together."""
    return sum(exercise.must_move(values))


def measure(counter: str, counters: Mapping[str, float], compulsory: int) -> float:
    """A counter or a ratio from the counters of one traced case. compulsory: bytes, from `compulsory_bytes`.

    Raises UnknownCounterError for a name that is neither.
    """
    if counter in counters:
        return float(counters[counter])
    if counter in RATIOS:
        return float(RATIOS[counter](counters, compulsory))
    raise UnknownCounterError(counter, sorted({*counters, *RATIOS}))


def evaluate(exercise: Exercise, counters_by_case: Mapping[str, Mapping], compulsory_by_case: Mapping[str, int]):
    """Every budget whose case was traced. Returns (tuple of BudgetResult, tuple of Cause for the missed ones).

    Of several missed on one counter, only the most generous is a cause: it explains the others. The mappings are
    keyed by case name.
    """
    results: list[BudgetResult] = []
    missed: dict[str, tuple[BudgetResult, Cause]] = {}
    for budget in (*exercise.budgets, *implied(exercise)):
        name = case_name_of(exercise, budget.sizes)
        if name not in counters_by_case or _not_compiled(budget.counter, counters_by_case[name]):
            continue
        value = measure(budget.counter, counters_by_case[name], compulsory_by_case[name])
        cause = _cause(budget, exercise, counters_by_case[name])
        cause = replace(cause, says=f"Measured at {name}. {cause.says}") if budget.quiet else cause
        limit = limit_of(budget, exercise, counters_by_case[name])
        result = BudgetResult(budget.counter, value, limit, cause.says, budget.floor)
        if not result.met:
            result = _in_all(result, exercise, name, counters_by_case[name])
        results += [] if result.met and budget.quiet else [result]
        if not result.met:
            known = missed.get(budget.counter)
            if known is None or _is_worse(result, known[0]):
                missed[budget.counter] = result, replace(cause, missed=result)
    return tuple(results), tuple(cause for _, cause in missed.values())


def leaves_idle(exercise: Exercise, counters_by_case: Mapping[str, Mapping]) -> bool:
    """Whether fewer threads are at work than a budget asks for: what takes many steps then is slow, and ends."""
    results, _ = evaluate(exercise, counters_by_case, dict.fromkeys(counters_by_case, 1))  # bytes have no say in it
    return any(one.counter == "threads_at_work" and not one.met for one in results)


def implied(exercise: Exercise) -> tuple[Budget, ...]:
    """What every kernel is held to whose contract says nothing of stores: to write about as much as the solution.

    On the case that predictions use, where a result is more than a few elements.
    """
    if exercise.kind != "kernel" or exercise.cost is None or any("store" in one.counter for one in exercise.budgets):
        return ()
    name = predict_case_name(exercise)
    if (exercise.id, name) not in _written:
        case = next((case for case in exercise.cases if case.name == name), None)
        _written[exercise.id, name] = exercise.cost(make_values(exercise, case)).write_bytes if case else 0
    written = _written[exercise.id, name]
    if written < FEW_BYTES:
        return ()
    case = next(case for case in exercise.cases if case.name == name)
    why = "an element is stored once, when it is done: on its way there a variable holds it"
    most = STORED_AGAIN * written
    return (Budget("global_store_bytes", most, case.sizes, why, misconception="stored_again", quiet=True),)


def limit_of(budget: Budget, exercise: Exercise, counters: Mapping[str, float]) -> float:
    """What an answer is held to: the contract's limit where the task promises it, and with room to it elsewhere.

    counters: of the answer, on the budget's case. Whole numbers stay whole, and a limit above 0 leaves room for one
    more. A limit of 0 says that something must not be there at all; only accesses that wait for each other may be a
    few of many.
    """
    is_ratio = budget.counter in RATIOS or not float(budget.at_most).is_integer()
    if budget.counter in exercise.promises.exactly:
        return budget.at_most
    if budget.floor:
        least = (1 - ROOM) * budget.at_most
        return least if is_ratio else math.ceil(least)
    if budget.at_most == 0:
        return math.floor(ROOM * counters.get(REQUESTS_OF.get(budget.counter, ""), 0))
    if is_ratio:
        return (1 + ROOM) * budget.at_most
    return max(math.floor((1 + ROOM) * budget.at_most), math.floor(budget.at_most) + 1)


def with_lines(
    exercise: Exercise, causes: tuple[Cause, ...], lines_by_case: Mapping[str, Sequence[Counted]], program: Program
) -> tuple[Cause, ...]:
    """The causes of missed budgets, with the lines of the answer that spend most, where these are few."""
    functions = frozenset(function.name for function in functions_of(program.source))
    found = []
    for cause in causes:
        missed = cause.missed
        limits = (*exercise.budgets, *implied(exercise)) if missed is not None else ()
        of_it = [budget for budget in limits if budget.misconception == cause.misconception]
        names = [name for budget in of_it if (name := case_name_of(exercise, budget.sizes)) in lines_by_case]
        says = sentence(missed, lines_by_case[names[0]], functions) if missed is not None and names else ""
        found.append(replace(cause, says=f"{says} {cause.says}") if says else cause)
    return tuple(found)


def _in_all(missed: BudgetResult, exercise: Exercise, name: str, counters: Mapping[str, float]) -> BudgetResult:
    """The same limit on all sectors together, where that is met: who asks less often than the solution may spend more
    on each request, as one that keeps in shared memory what others load again and again, a sector each time."""
    asked = SECTORS_PER_REQUEST.get(missed.counter)
    counter = missed.counter.removesuffix("_per_request")
    unknown = asked is None or exercise.cost is None or counter not in counters
    if unknown or missed.floor or missed.at_most > MOST_OF_NARROW_REQUESTS:
        return missed
    case = next(case for case in exercise.cases if case.name == name)
    n_bytes = getattr(exercise.cost(make_values(exercise, case)), asked)
    together = replace(
        missed, counter=counter, value=float(counters[counter]), at_most=missed.at_most * n_bytes / REQUEST_BYTES
    )
    return together if together.met else missed


def _cause(budget: Budget, exercise: Exercise, counters: Mapping[str, float]) -> Cause:
    """The cause of a missed budget: its own reason, or that wider numbers travel than the exercise has."""
    doubles = counters.get(DOUBLES, 0)
    declared = {argument.dtype for argument in exercise.arguments}
    if budget.counter in TRANSFERS and doubles and "float64" not in declared:
        says = (
            f"{doubles:,.0f} of them are float64 numbers, and no argument is: what NumPy works out from a Python "
            "number, or allocates without a dtype, is twice as wide as a float32."
        )
        return Cause("over_budget", "float64_arithmetic", says, "Send float32, and allocate with np.float32.")
    return Cause("over_budget", budget.misconception, as_sentence(budget.why, exercise.names))


def with_code(counters_by_case: Mapping[str, Mapping], code: Mapping[str, float]) -> dict[str, dict]:
    """Every case's counters with those of the machine code, which are the same for all."""
    return {name: {**counters, **code} for name, counters in counters_by_case.items()}


def _not_compiled(counter: str, counters: Mapping[str, float]) -> bool:
    """Whether this is a counter of the machine code, and there is no compiler here that would have made any."""
    return counter in COMPILED and counter not in counters


def _is_worse(result: BudgetResult, known: BudgetResult) -> bool:
    """Of one number, the more generous limit that it misses says more; of several, the first stays."""
    more_generous = result.at_most < known.at_most if result.floor else result.at_most > known.at_most
    return result.value == known.value and more_generous


def predicted(
    exercise: Exercise, counters_by_case: Mapping[str, Mapping], compulsory_by_case: Mapping[str, int]
) -> dict:
    """The measured number of everything `q.predict` can name, on the exercise's predict case."""
    name = predict_case_name(exercise)
    if name not in counters_by_case:
        return {}
    measured = counters_by_case[name], compulsory_by_case[name]
    return {
        keyword: measure(counter, *measured)
        for keyword, counter in exercise.predictions.items()
        if not _not_compiled(counter, measured[0])
    }


def predict_case_name(exercise: Exercise) -> str:
    """The name of the case that predictions and pictures use; "" when no case is traced."""
    if exercise.predict_case is not None:
        return case_name_of(exercise, exercise.predict_case)
    return next((case.name for case in exercise.cases if case.trace), "")


def case_name_of(exercise: Exercise, sizes: Mapping[str, int]) -> str:
    """The name of the traced case with these sizes; "" when there is none."""
    return next((case.name for case in exercise.cases if case.trace and dict(case.sizes) == dict(sizes)), "")
