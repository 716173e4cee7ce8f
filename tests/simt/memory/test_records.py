"""Records in kernels: fields, arrays in fields, records in records, and what an analysis is told of them."""

from __future__ import annotations

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda
from simt.cuda_api.cuda import float32
from simt.errors import KernelTypeError, OutOfBoundsError, UnsupportedError

PARTICLE = np.dtype([("id", "i4"), ("mass", "f8"), ("at", "f4", (3,)), ("box", "i4", (2, 2))], align=True)
POINT = np.dtype([("x", "f4"), ("y", "i4")], align=True)
PAIR = np.dtype([("first", POINT), ("both", POINT, (2,)), ("k", "i8")], align=True)


def particles(n=4):
    made = np.zeros(n, PARTICLE)
    made["id"], made["mass"] = np.arange(n), 0.5 * np.arange(n)
    made["at"] = np.arange(3 * n).reshape(n, 3)
    return made


def test_an_array_in_a_record_is_an_array():
    def measure(records, out):
        i = cuda.grid(1)
        total = float32(0)
        for value in records[i].at:
            total += value
        out[i, 0] = total
        out[i, 1] = records[i].at[1:][1] + len(records[i].at)
        out[i, 2] = records[i].at.sum() + records[i].box.shape[1]
        records[i].box[1, 0] = i
        records[i].box[0] = 7

    records, out = particles(), np.zeros((4, 3))
    simt.launch(measure, 1, 4, records, out)
    at = particles()["at"]
    assert at.sum(axis=1).tolist() == out[:, 0].tolist()
    assert (at[:, 2] + 3).tolist() == out[:, 1].tolist()
    assert (at.sum(axis=1) + 2).tolist() == out[:, 2].tolist()
    assert [[[7, 7], [i, 0]] for i in range(4)] == records["box"].tolist()


def test_fields_of_an_array_of_records_are_arrays():
    def shift(records, out):
        i = cuda.grid(1)
        out[i] = records.mass[i] + records["mass"][i] + records.at[i, 1] + records.at[i][2]
        cuda.atomic.add(records["id"], 0, 1)
        cuda.atomic.max(records[0].at, 0, float32(i))

    records, out = particles(), np.zeros(4)
    simt.launch(shift, 1, 4, records, out)
    expected = particles()
    assert (2 * expected["mass"] + expected["at"][:, 1] + expected["at"][:, 2]).tolist() == out.tolist()
    assert (4, 3) == (records["id"][0], records["at"][0, 0])


def test_arrays_in_records_are_assigned_whole():
    def rotate(records):
        i = cuda.grid(1)
        kept = records[(i + 1) % 4].at[0]
        cuda.syncthreads()
        records[i].at = records[0].at
        records[i].at[0] = kept

    records = particles()
    simt.launch(rotate, 1, 4, records)
    assert [3, 6, 9, 0] == records["at"][:, 0].tolist()
    assert [1] * 4 == records["at"][:, 1].tolist()

    def fill(records):
        records[0].at = 1.0

    with pytest.raises(KernelTypeError, match=r"line .*field at is an array of shape \(3,\)"):
        simt.launch(fill, 1, 1, particles())


def test_records_in_records_are_read_and_written():
    def swap(pairs, out):
        i = cuda.grid(1)
        pairs[i].first.y = i
        pairs[i].both[1].x = pairs[i].first.x + pairs.first.x[i]
        out[i] = pairs.first[i].x
        if i == 1:
            pairs[0].first = pairs[1].first

    pairs, out = np.zeros(2, PAIR), np.zeros(2)
    pairs["first"]["x"] = [3, 4]
    simt.launch(swap, 1, 2, pairs, out)
    assert [3, 4] == out.tolist()
    assert [(4, 1), (4, 1)] == pairs["first"].tolist()
    assert [6, 8] == pairs["both"]["x"][:, 1].tolist()


def test_shared_and_local_records():
    def reverse(records, out):
        tile, mine = cuda.shared.array(4, PARTICLE), cuda.local.array(2, PARTICLE)
        i = cuda.grid(1)
        tile[i] = records[i]
        mine[0].at[2] = i
        mine[1] = mine[0]
        cuda.syncthreads()
        out[i] = tile[3 - i].at[1] + mine[1].at[2]

    out = np.zeros(4)
    simt.launch(reverse, 1, 4, particles(), out)
    assert [10, 8, 6, 4] == out.tolist()


def test_an_index_outside_an_array_in_a_record_is_named():
    def beyond(records):
        records[0].at[cuda.threadIdx.x] = 0

    with pytest.raises(OutOfBoundsError, match=r"line .*index 3.*records\.at"):
        simt.launch(beyond, 1, 4, particles())


def test_an_array_in_a_record_is_traced_to_the_byte():
    def read(records, out):
        i = cuda.grid(1)
        out[i] = records[i].at[2]

    trace = simt.trace(read, 1, 4, particles(), np.zeros(4, np.float32))
    assert [] == trace.findings
    assert (16, 16) == (trace.counters["global_load_bytes"], trace.counters["global_store_bytes"])


def test_an_array_on_odd_addresses_is_refused():
    packed = np.dtype([("flag", "i4"), ("values", "c16", (2,))])

    def read(records, out):
        out[0] = records[0].values[0].real

    with pytest.raises((UnsupportedError, KernelTypeError), match="line .*align=True"):
        simt.launch(read, 1, 1, np.zeros(1, packed), np.zeros(1))


def test_a_record_outside_its_array_is_no_other_one():
    @cuda.jit
    def move(records):
        i = cuda.grid(1)
        records[i].mass += 1
        far = records[i + 1000]
        far.mass = 7

    records = np.zeros(4, np.dtype([("mass", np.float32), ("n", np.int32)]))
    trace = simt.trace(move, 1, 32, records)

    assert {"out_of_bounds"} == {finding.kind for finding in trace.findings}
    assert [1.0] * 4 == records["mass"].tolist()


def test_bytes_that_the_source_names_go_into_an_element_and_into_a_field():
    @cuda.jit
    def name_them(names, rows):
        i = cuda.grid(1)
        names[i] = b"XYZ"
        rows[i]["name"] = b"AB"

    names, rows = np.zeros(3, "S12"), np.zeros(2, [("x", np.int32), ("name", "S4")])
    simt.launch(name_them, 1, 2, names, rows)

    assert [b"XYZ", b"XYZ", b""] == names.tolist()
    assert [(0, b"AB"), (0, b"AB")] == rows.tolist()
