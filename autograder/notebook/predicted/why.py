"""Why a counter is what it is: the numbers it is made of, in one line of arithmetic beside the measured one."""

from __future__ import annotations

from collections.abc import Mapping

from autograder.contract import Exercise
from autograder.diagnosis.arithmetic import Count, PredictedCase, n, said
from autograder.diagnosis.budget import TRANSFERS, case_name_of, compulsory_bytes, predict_case_name
from autograder.running.buffers import make_values
from autograder.words import as_sentence
from simt.analyses.counters import COUNTERS, MAXIMA
from simt.hardware import SECTOR_BYTES
from simt.hardware import WARP_SIZE as LANES
from simt.timing.roofline import ARITHMETIC

ACCESSES = (1, 2, 4, 8, 16)  # bytes that a lane can load or store at once; other numbers are means of several


def why_of(exercise: Exercise, name: str, counters: Mapping[str, float], measured: float) -> str:
    """Why a predicted number is what was measured: arithmetic with the numbers of the case that was judged.

    name: what `q.predict` calls it. Where the contract's own reason comes to another number, the answer works otherwise
    than the course expects: both are told.
    """
    counter, shown = exercise.predictions[name], shown_of(exercise, counters)
    arithmetic, told = reason(counter, counters, shown.must_move), _told(exercise, counter)
    own = exercise.reasons[name](shown) if name in exercise.reasons else None
    if own is not None and own.comes_to(measured):
        arithmetic = own.with_total()
    elif own is not None:
        found = arithmetic or shared_out(counter, measured, shown)
        return f"your answer has {found}; the course counts {own.with_total()}"
    if arithmetic and told and not measured:  # nothing is what a product says: the cause is in words
        return f"{arithmetic}. {told}"
    return arithmetic or told or shared_out(counter, measured, shown)


def unexplained(exercise: Exercise) -> list[str]:
    """Predictions that no arithmetic explains: neither the contract's `reasons`, nor the counter by itself."""
    everything = dict.fromkeys((*COUNTERS, *TRANSFERS), 1.0)
    return [
        name
        for name, counter in exercise.predictions.items()
        if name not in exercise.reasons and not reason(counter, everything, 1)
    ]


def shown_of(exercise: Exercise, counters: Mapping[str, float]) -> PredictedCase:
    """The case that predictions are about. counters: of the answer, on it."""
    case = next(case for case in exercise.cases if case.name == predict_case_name(exercise))
    values = make_values(exercise, case)
    grid, threads = counters.get("blocks_at_work", 0), counters.get("threads_at_work", 0)
    launch = (int(grid), -int(-threads // grid)) if grid else (0, 0)
    if exercise.launch is not None:
        launch = exercise.launch(values)
    tuples = [tuple(part) if isinstance(part, tuple) else (part,) for part in launch[:2]]
    return PredictedCase(case.sizes, counters, compulsory_bytes(exercise, values), *tuples)


def _told(exercise: Exercise, counter: str) -> str:
    """The words of the counter's budget for this very case."""
    name = predict_case_name(exercise)
    limits = (limit for limit in exercise.budgets if limit.counter == counter)
    words = next((limit.why for limit in limits if case_name_of(exercise, limit.sizes) == name), "")
    return as_sentence(words, exercise.names)


def shared_out(counter: str, measured: float, shown: PredictedCase) -> str:
    """A number by the blocks that it comes from, for what has no arithmetic of its own; bare where none add it up."""
    if not shown.blocks or counter not in COUNTERS or counter in MAXIMA:
        return said(measured)
    each = measured / shown.blocks
    words = "each" if each.is_integer() else "each on average"
    return (n(shown.blocks, "block") * n(each, words, words)).with_total()


def reason(counter: str, counters: Mapping[str, float], must_move: int = 0) -> str:
    """How a counter or ratio of one case comes about, as in "32 x 4 bytes = 128 bytes = 4 sectors"; "" for others.

    counters: of that case, as a trace has them. must_move: bytes that any right answer reads and writes there.
    """
    for space in ("global_load", "global_store"):
        if counter == f"{space}_sectors_per_request":
            return _of_sectors(space, counters)
    found = _of_requests(counter, counters) or _ratio(counter, counters, must_move)
    return found.with_total() if found is not None else ""


def _of_requests(counter: str, counters: Mapping[str, float]) -> Count | None:
    """A counter of requests, and what a request is: bytes, sectors, passes."""
    for space in ("global_load", "global_store"):
        requests, asked = counters.get(f"{space}_requests", 0), counters.get(f"{space}_bytes", 0)
        if not requests:
            continue
        if counter == f"{space}_requests" and asked:
            return n(asked, "byte") / _each(asked / requests, "byte per request", "bytes per request")
        for kind in ("sector", "byte"):
            if counter == f"{space}_{kind}s" and counter in counters:
                return n(requests, "request") * _each(counters[counter] / requests, kind, f"{kind}s")
    for space in ("shared_load", "shared_store"):
        if counter == f"{space}_bank_conflicts" and counters.get(f"{space}_wavefronts"):
            passes, requests = counters[f"{space}_wavefronts"], counters.get(f"{space}_requests", 0)
            return n(passes, "pass", "passes") - n(requests, "request")
    if counter == "transferred_bytes" and "host_to_device_bytes" in counters:
        up, down = counters["host_to_device_bytes"], counters["device_to_host_bytes"]
        return n(up, "byte up", "bytes up") + n(down, "byte down", "bytes down")
    return None


def _each(value: float, one: str, many: str) -> Count:
    """What each has, or on average."""
    return n(value, one, many if value.is_integer() else f"{many} on average")


def _ratio(counter: str, counters: Mapping[str, float], must_move: int) -> Count | None:
    """A counter that is one number over another: the two of them."""
    sectors = counters.get("global_load_sectors", 0) + counters.get("global_store_sectors", 0)
    moved = n(must_move, "byte that must move", "bytes that must move")
    parts = {
        "flops_per_compulsory_byte": (n(sum(counters.get(f"{kind}_flops", 0) for kind in ARITHMETIC), "flop"), moved),
        "bytes_over_compulsory": (n(SECTOR_BYTES * sectors, "byte in whole sectors", "bytes in whole sectors"), moved),
        "divergent_branch_share": (
            n(counters.get("divergent_branches", 0), "branch that splits a warp", "branches that split a warp"),
            n(counters.get("branches", 0), "branch", "branches"),
        ),
        "lanes_at_work": (
            n(counters.get("thread_instructions", 0), "line run by a thread", "lines run by threads"),
            n(counters.get("warp_instructions", 0), "line run by a warp", "lines run by warps"),
        ),
    }
    for space in ("shared_load", "shared_store"):
        conflicts, requests = counters.get(f"{space}_bank_conflicts", 0), counters.get(f"{space}_requests", 0)
        parts[f"{space}_conflicts_per_request"] = n(conflicts, "conflict"), n(requests, "request")
    part, whole = parts.get(counter, (n(0), n(0)))
    return part / whole if whole.value else None


def _of_sectors(space: str, counters: Mapping[str, float]) -> str:
    """Bytes of a request against the sectors it takes."""
    requests, asked = counters.get(f"{space}_requests", 0), counters.get(f"{space}_bytes", 0)
    sectors = counters.get(f"{space}_sectors", 0)
    if not requests or not asked:
        return ""
    a_request, taken = asked / requests, sectors / requests
    lane = a_request / LANES
    words = f"{a_request:,.4g} bytes per request"
    if lane in ACCESSES:
        words = f"{LANES} x {lane:g} {'byte' if lane == 1 else 'bytes'} = {a_request:g} bytes"
    needed = a_request / SECTOR_BYTES
    holding = f"{words}, which {needed:.3g} {'sector' if needed == 1 else 'sectors'} would hold"
    if taken < needed:
        return f"{holding}; where lanes share an element, or still hold it, they take fewer: {taken:.3g} on average"
    if taken == needed:
        return f"{words} = {taken:g} {'sector' if taken == 1 else 'sectors'}"
    return f"{holding}; they lie in {taken:.3g}"
