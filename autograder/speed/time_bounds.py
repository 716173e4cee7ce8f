"""Time bounds without a GPU: what the interpreter counted, joined with what the real compiler says about occupancy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from simt.launching.geometry import volume
from simt.timing import bound_tables
from simt.timing.bound_tables import ASSUMES, LABEL
from simt.timing.gpus import GPUS, Gpu
from simt.timing.roofline import bound, work_of

CUT_SHORT = ("invalid_launch", "unsupported", "deadlock")  # findings after which part of the work was never done
NO_BOUND = "No bound on the time: the launch did not run to its end, so its work was not counted."


def occupancy(gpu: Gpu, kernel: Callable, arguments: Sequence[Any], threads: int, dynamic_shared: int = 0) -> dict:
    """How full a multiprocessor can be, from the registers and the shared memory that the compiler really uses.

    Args:    kernel: plain or jitted; arguments: of the launch; threads: per block; dynamic_shared: bytes of a block.
    Returns: {"registers", "shared_bytes", "blocks", "warps", "fraction", "limited_by"}, or {"reason"} where the kernel
             does not compile or nothing is here to compile it.
    """
    from autograder.lint import OccupancyError, lint, signature_of, theoretical_occupancy, unavailable_reason

    if reason := unavailable_reason():
        return {"reason": reason}
    report = lint(kernel, signature_of(arguments), architectures=[gpu.architecture])
    facts = report.facts.get(gpu.architecture)
    if report.error is not None or facts is None:
        return {"reason": report.error.says if report.error else f"nothing was compiled for {gpu.architecture}"}
    shared = facts.shared_bytes + dynamic_shared
    try:
        found = theoretical_occupancy(gpu.compute_capability, threads, facts.registers, shared)
    except OccupancyError as error:
        return {"reason": str(error)}
    return {"registers": facts.registers, "shared_bytes": shared, **vars(found)}


def occupancy_words(gpu: Gpu, known: dict) -> str:
    """Occupancy in a sentence, with where it comes from."""
    if "reason" in known:
        return f"Occupancy is unknown: {known['reason'].rstrip('.')}."
    return (
        f"Occupancy: {known['blocks']} blocks fit on a multiprocessor and fill {known['fraction']:.0%} of its places "
        f"for warps, limited by {known['limited_by']}: {known['registers']} registers per thread, "
        f"{known['shared_bytes']:,} bytes of shared memory per block, says the compiler for {gpu.architecture}. Ideal: "
        "enough warps that some can run while others wait; more than that brings nothing."
    )


def of_trace(trace, kernel: Callable, arguments: Sequence[Any], gpu: Gpu | None = None) -> tuple[dict, str]:
    """The bound of one traced launch on a GPU, or of each in the table, as plain data and as text.

    Occupancy takes a compilation, so it is told where one GPU is chosen.
    """
    if not trace.launches or any(finding.kind in CUT_SHORT for finding in trace.findings):
        return {"label": LABEL, "reason": NO_BOUND, "gpus": []}, NO_BOUND
    work = work_of(trace)
    document = {"label": LABEL, "assumes": ASSUMES}
    if gpu is None:
        bounds = [bound(each, work) for each in GPUS.values()]
        return {**document, "gpus": [each.to_json() for each in bounds]}, bound_tables.several(bounds)
    found = bound(gpu, work)
    launch = trace.launches[-1]
    known = occupancy(gpu, kernel, arguments, volume(launch.block), launch.dynamic_shared_bytes)
    text = bound_tables.one(found, [occupancy_words(gpu, known)])
    return {**document, "gpus": [{**found.to_json(), "occupancy": known}]}, text
