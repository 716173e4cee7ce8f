"""However host code reads or writes pinned memory, it is told where that may be too early, and only there."""

from __future__ import annotations

import copy as copying

import numpy as np
import pytest

from simt.host_order import watch as watching
from simt.host_order.clocks import HappensBefore
from simt.host_order.memory import MOST_UNITS, HostMemory, units_of
from simt.host_order.watch import watch
from tests.simt.host_order.right import N, cuda, ones

WRITES = {
    "sort": lambda x: x.sort(),
    "partition": lambda x: x.partition(3),
    "out": lambda x: np.multiply(x, 2, out=x),
    "out of a sum": lambda x: np.sum(np.ones((3, N)), axis=0, out=x),
    "in place": lambda x: x.__imul__(2),
    "copyto": lambda x: np.copyto(x[:10], 5),
    "putmask": lambda x: np.putmask(x, [True] * N, 3),
    "put": lambda x: x.put([1], [2]),
    "at": lambda x: np.add.at(x, [1, 5], 1),
    "some cells": lambda x: x.__setitem__([1, 7], 0),
    "fill": lambda x: x.fill(3),
}
READS = {
    "cell": lambda x: float(x[3]),
    "item": lambda x: x.item(3),
    "take": lambda x: x.take([1, 2]),
    "argmax": lambda x: x.argmax(),
    "round": lambda x: x.round(),
    "tolist": lambda x: x.tolist(),
    "allclose": lambda x: np.allclose(x, 1),
    "copy": lambda x: x.copy(),
    "deepcopy": copying.deepcopy,
    "sum in Python": sum,
    "array": lambda x: np.array(x),
    "array of a list": lambda x: np.array([x, x]),
    "stack": lambda x: np.stack([x, x]),
    "view": lambda x: np.asarray(x)[5:].sum(),
    "reshaped": lambda x: x.reshape(10, 100).T[3].max(),
    "mask": lambda x: x[x > 0],
    "text": lambda x: f"{x[0]:.1f}",
    "membership": lambda x: 3 in x,
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_write_while_a_copy_reads_is_told(write):
    with watch() as order:
        stream, x = cuda.stream(), ones()
        cuda.to_device(x, stream=stream)
        write(x)
        stream.synchronize()

    assert ["write"] == [finding.detail["hazard"].partition("_")[2] for finding in order.findings]


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_a_read_while_a_copy_writes_is_told(read):
    with watch() as order:
        stream, out = cuda.stream(), cuda.pinned_array(N, np.float32)
        cuda.to_device(np.ones(N, np.float32)).copy_to_host(out, stream=stream)
        read(out)
        stream.synchronize()

    assert ["write_read"] == [finding.detail["hazard"] for finding in order.findings]


@pytest.mark.parametrize("touch", [*WRITES.values(), *READS.values()], ids=[*WRITES, *READS])
def test_after_the_wait_everything_is_allowed(touch):
    with watch() as order:
        stream, x = cuda.stream(), ones()
        cuda.to_device(x, stream=stream).copy_to_host(x, stream=stream)
        stream.synchronize()
        touch(x)

    assert [] == order.findings


def halves(stream_of_each):
    """An array whose halves are copied down in two streams."""
    out, d = cuda.pinned_array(N, np.float32), cuda.to_device(np.ones(N, np.float32))
    d[:500].copy_to_host(out[:500], stream=stream_of_each[0])
    d[500:].copy_to_host(out[500:], stream=stream_of_each[1])
    return out


def test_cells_of_the_half_that_is_there_may_be_touched_in_every_way():
    with watch() as order:
        streams = cuda.stream(), cuda.stream()
        out = halves(streams)
        streams[0].synchronize()
        (
            out.item(3),
            out.take([4, 5]),
            out[[1, 7, 499]],
            out[np.arange(500)],
            np.array(out[:10]),
            np.asarray(out)[:3].sum(),
        )
        out[:500][out[:500] > 0].sum()
        out.put([1, 2], [5, 6])
        out[[3, 4]] = 1
        streams[1].synchronize()

    assert [] == order.findings


def test_one_cell_of_the_other_half_is_told():
    with watch() as order:
        streams = cuda.stream(), cuda.stream()
        out = halves(streams)
        streams[0].synchronize()
        out[[1, 500]].sum()
        streams[1].synchronize()

    assert ["write_read"] == [finding.detail["hazard"] for finding in order.findings]


def test_numpy_is_itself_again_afterwards():
    before = np.array, np.asarray

    with watch():
        pass

    assert before == (np.array, np.asarray)


def test_of_a_large_allocation_a_sample_is_remembered_and_whole_copies_are_still_told():
    memory, order = HostMemory(), HappensBefore()
    large = np.empty(20 * MOST_UNITS + 3, np.uint8)  # nobody touches its pages
    shadow = memory.register(large, "device")
    first, second = (order.enqueue(stream, "copy", "copies") for stream in ("a", "b"))

    assert [] == list(memory.touch(first, shadow, units_of(shadow, large), "write"))
    assert [] == list(memory.touch(second, shadow, np.array([1, 2, 22]), "write"))  # not in the sample
    assert [first] == [one.earlier for one in memory.touch(second, shadow, units_of(shadow, large[50:]), "read")]
    assert MOST_UNITS >= shadow.writer.size


def test_all_of_a_small_allocation_is_remembered():
    memory, order = HostMemory(), HappensBefore()
    small = np.zeros(7)
    shadow = memory.register(small, "pinned")
    first, second = (order.enqueue(stream, "copy", "copies") for stream in ("a", "b"))

    assert [] == list(memory.touch(first, shadow, np.array([6]), "write"))
    assert [] == list(memory.touch(second, shadow, slice(0, 6), "write"))
    assert [1] == [one.n_units for one in memory.touch(second, shadow, slice(None), "read")]


def test_a_line_that_touches_many_elements_asks_for_the_name_of_their_array_once(monkeypatch):
    asked = []
    monkeypatch.setattr(watching, "name_of_array", lambda array: asked.append(array) or "")
    with watch():
        held = [cuda.pinned_array(N, np.float32)]
        asked.clear()
        for k in range(1, N):
            held[0][k] = k

    assert 1 == len(asked)
