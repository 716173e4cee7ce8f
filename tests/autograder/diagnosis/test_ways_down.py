"""Every way in which what a kernel made comes to the host is one that the judge sees: else it would say that the host
did the work."""

import numpy as np
import pytest

from autograder.diagnosis.work import WAYS_DOWN
from autograder.notebook.host.managed import prefetch
from autograder.running.host_code.transfers import Ledger
from simt.cuda_api import cuda, host_events
from simt.host_order.watch import watch


@cuda.jit
def fill(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = i


COMES_DOWN = {
    "a copy": "d = cuda.device_array(2_000)\nfill[8, 256](d)\nfound = d.copy_to_host()",
    "a copy of a slice": "d = cuda.device_array(2_000)\nfill[8, 256](d)\nfound = d[7:9].copy_to_host()",
    "a row": "d = cuda.device_array((2, 2_000))\nfill[8, 256](d[1])\nfound = d[1].copy_to_host()",
    "one element": "d = cuda.device_array(2_000)\nfill[8, 256](d)\nfound = d[3]",
    "into a pinned array": (
        "d = cuda.device_array(2_000)\nfound = cuda.pinned_array(2_000)\nfill[8, 256](d)\nd.copy_to_host(found)"
    ),
    "through another array": (
        "d, e = cuda.device_array(2_000), cuda.device_array(2_000)\nfill[8, 256](d)\ne.copy_to_device(d)\n"
        "found = e.copy_to_host()"
    ),
    "an array of the host that is handed to a kernel": "found = np.zeros(2_000)\nfill[8, 256](found)",
    "mapped": "found = cuda.mapped_array(2_000)\nfill[8, 256](found)\ncuda.synchronize()",
    "a part of what is mapped": "found = cuda.mapped_array(2_000)\nfill[1, 8](found[5:9])\ncuda.synchronize()",
    "managed, touched": "m = cuda.managed_array(2_000)\nfill[8, 256](m)\ncuda.synchronize()\nfound = m[0]",
    "managed, fetched": (
        "m = cuda.managed_array(2_000)\nfill[8, 256](m)\nprefetch(m, to_host=True)\ncuda.synchronize()\nfound = +m"
    ),
    "one page of what is managed, each round": (
        "m = cuda.managed_array(2_000)\nfor _ in range(2):\n    fill[8, 256](m)\n    prefetch(m[:1], to_host=True)\n"
        "    cuda.synchronize()\n    found = m[0]"
    ),
}

STAYS_AWAY = {
    "nothing": "d = cuda.device_array(2_000)\nfill[8, 256](d)",
    "sent up alone": "d = cuda.to_device(np.zeros(2_000))\nfill[8, 256](d)",
    "managed, prefetched to the device": (
        "m = cuda.managed_array(2_000)\nm[:] = 1\nprefetch(m)\nd = cuda.device_array(2_000)\nfill[8, 256](d)"
    ),
}


def seen(lines: str) -> list[str]:
    """The counters that say how what these lines' kernels made came to the host."""
    ledger = Ledger()
    with watch() as order, host_events.listening(ledger):
        exec(lines, {"cuda": cuda, "np": np, "prefetch": prefetch, "fill": fill})  # lines of this file
    counters = {**ledger.counts, **order.residence.counters}
    return [way for way in WAYS_DOWN if counters[way]]


@pytest.mark.parametrize("way", COMES_DOWN)
def test_whatever_way_a_result_comes_down_is_seen(way):
    assert seen(COMES_DOWN[way])


@pytest.mark.parametrize("way", STAYS_AWAY)
def test_what_stays_on_the_device_is_not_said_to_come_down(way):
    assert [] == seen(STAYS_AWAY[way])
