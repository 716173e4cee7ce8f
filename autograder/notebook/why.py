"""Why a counter is what it is: the numbers it is made of, in one line of arithmetic beside the measured one."""

from __future__ import annotations

from collections.abc import Mapping

from autograder.words import count_text
from simt.hardware import SECTOR_BYTES
from simt.hardware import WARP_SIZE as LANES


def reason(counter: str, counters: Mapping[str, float]) -> str:
    """How a counter or ratio of one case comes about, as in "32 x 4 bytes = 128 bytes = 4 sectors"; "" for others.

    counters: of that case, as a trace has them.
    """
    for space in ("global_load", "global_store"):
        if counter == f"{space}_sectors_per_request":
            return _of_sectors(space, counters)
        if counter == f"{space}_sectors":
            return _product(counters, f"{space}_requests", "requests", counter, "sectors")
        if counter == f"{space}_bytes":
            return _product(counters, f"{space}_requests", "requests", counter, "bytes")
        if counter == f"{space}_requests" and counters.get(counter):
            asked = counters.get(f"{space}_bytes", 0)
            return f"{asked:,.0f} bytes / {asked / counters[counter]:.4g} bytes per request"
    for space in ("shared_load", "shared_store"):
        if counter == f"{space}_bank_conflicts" and counters.get(f"{space}_wavefronts"):
            passes, requests = counters[f"{space}_wavefronts"], counters.get(f"{space}_requests", 0)
            return f"{count_text(int(passes), 'pass', 'passes')} - {count_text(int(requests), 'request')}"
        if counter == f"{space}_conflicts_per_request":
            return _share(counters, f"{space}_bank_conflicts", "conflicts", f"{space}_requests", "requests")
    if counter == "transferred_bytes" and "host_to_device_bytes" in counters:
        up, down = counters["host_to_device_bytes"], counters["device_to_host_bytes"]
        return f"{up:,.0f} bytes up + {down:,.0f} down = {up + down:,.0f}"
    if counter == "divergent_branch_share":
        return _share(counters, "divergent_branches", "branches that split a warp", "branches", "branches")
    if counter == "lanes_at_work":
        return _share(
            counters, "thread_instructions", "lines run by threads", "warp_instructions", "lines run by warps"
        )
    return ""


def _of_sectors(space: str, counters: Mapping[str, float]) -> str:
    """Bytes of a request against the sectors it takes."""
    requests, asked = counters.get(f"{space}_requests", 0), counters.get(f"{space}_bytes", 0)
    sectors = counters.get(f"{space}_sectors", 0)
    if not requests or not asked:
        return ""
    a_request, taken = asked / requests, sectors / requests
    lane = a_request / LANES
    words = f"{a_request:,.4g} bytes per request"
    if lane.is_integer():
        words = f"{LANES} x {lane:g} bytes = {a_request:g} bytes"
    needed = a_request / SECTOR_BYTES
    holding = f"{words}, which {needed:.3g} sectors would hold"
    if taken < needed:
        return f"{holding}; where lanes share an element they take fewer: {taken:.3g} on average"
    if taken == needed:
        return f"{words} = {taken:g} {'sector' if taken == 1 else 'sectors'}"
    return f"{holding}; they lie in {taken:.3g}"


def _share(counters: Mapping[str, float], part: str, parts: str, whole: str, wholes: str) -> str:
    if not counters.get(whole):
        return ""
    return f"{counters.get(part, 0):,.0f} {parts} / {counters[whole]:,.0f} {wholes}"


def _product(counters: Mapping[str, float], part: str, parts: str, whole: str, wholes: str) -> str:
    if not counters.get(part):
        return ""
    each = counters.get(whole, 0) / counters[part]
    return f"{counters[part]:,.0f} {parts} x {each:.3g} {wholes}"
