"""Launches that do what one before them did are not looked at again, and nothing that is told changes for it."""

import contextlib
import io

import numpy as np
import pytest

from simt.analyses.races import Races
from simt.cuda_api import cuda
from simt.errors import SimtError
from simt.programs import heard_before
from simt.programs.session import Session
from tests.golden.findings.catalogue import FILES

EXAMPLES = [one for name in ("races", "locks", "accesses", "synchronisation", "refusals") for one in FILES[name]]


@cuda.jit
def tree(x, out):
    tile = cuda.shared.array(64, cuda.float32)
    t = cuda.threadIdx.x
    tile[t] = x[t]
    cuda.syncthreads()
    step = 32
    while step > 0:
        if t < step:
            tile[t] += tile[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        out[0] = tile[0]


@cuda.jit
def scatter(places, out):
    i = cuda.grid(1)
    out[places[i]] = i


@cuda.jit
def guarded(x, out):
    i = cuda.grid(1)
    if x[i] > 0:
        out[i // 2] = i


def reports(launches, directly: bool, monkeypatch) -> list[dict]:
    """What is told of some launches. directly: all of them are told to `Races` as they come."""
    with monkeypatch.context() as patch, contextlib.redirect_stdout(io.StringIO()), Session() as session:
        if directly:
            patch.setattr(heard_before, "MOST_TRIES", 0)
        launches()
    return [report.to_json() for report in session.reports]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_nothing_that_is_told_changes(example, monkeypatch):
    kernel = example.launched()
    kernel = kernel if hasattr(kernel, "targetoptions") else cuda.jit(kernel)
    shared = example.options.get("dynamic_shared_bytes", 0)

    def launches():
        for _ in range(3):
            with contextlib.suppress(SimtError):
                kernel[example.grid, example.block, 0, shared](*example.arguments())

    assert reports(launches, True, monkeypatch) == reports(launches, False, monkeypatch)


def heard(monkeypatch, *launches) -> list[int]:
    """How many accesses `Races` heard of each launch."""
    counts, access = [], Races.access

    def counted(self, event):
        counts[-1] += 1
        access(self, event)

    monkeypatch.setattr(Races, "access", counted)
    with Session():
        for launch in launches:
            counts.append(0)
            launch()
    return counts


def test_what_was_listened_to_once_is_not_listened_to_again(monkeypatch):
    x, out = cuda.to_device(np.ones(64, np.float32)), cuda.device_array(1)
    launch = lambda: tree[1, 64](x, out)  # noqa: E731
    first, *others = heard(monkeypatch, launch, launch, lambda: tree[1, 64](x.copy_to_host(), out))
    assert first > 20 and [0, 0] == others


@pytest.mark.parametrize(
    ("kernel", "clean", "clashing"), [(scatter, [0, 1, 2, 3], [0, 1, 1, 3]), (guarded, [1, 0, 1, 0], [1, 1, 1, 1])]
)
def test_data_that_lead_elsewhere_are_looked_at(kernel, clean, clashing, monkeypatch):
    def launches():
        for data in (clean, clean, clashing, clean, clashing):
            kernel[1, 4](np.array(data), np.zeros(4))

    told = reports(launches, False, monkeypatch)
    assert ["race"] == [one["kind"] for one in told] and told == reports(launches, True, monkeypatch)


def test_a_kernel_that_does_something_else_every_time_is_listened_to_at_once(monkeypatch):
    orders = [np.roll(np.arange(8), k) for k in range(6)]
    tried = heard_before.HeardBefore()
    monkeypatch.setattr("simt.programs.session.HeardBefore", lambda: tried)
    counts = heard(monkeypatch, *(lambda order=order: scatter[1, 8](order, np.zeros(8)) for order in orders))
    assert [counts[0]] * 6 == counts and heard_before.MOST_TRIES == len(tried.known)
