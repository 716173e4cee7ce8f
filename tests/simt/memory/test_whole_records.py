"""Whole records, their fields and arrays of a field are the same memory to every analysis."""

import numpy as np

import simt
from simt.cuda_api import cuda
from simt.cuda_api.cuda import float32
from simt.cuda_api.types import from_dtype

DTYPE = np.dtype([("at", np.float32, (3,)), ("mass", np.float32), ("kind", np.int32)], align=True)
PARTICLE = from_dtype(DTYPE)


def race_of(kernel, *arguments):
    return [finding.kind for finding in simt.trace(kernel, 1, 64, *arguments).findings]


def test_a_record_stored_whole_is_written_in_every_field():
    def hand_over(particles, out):
        tile = cuda.shared.array(64, PARTICLE)
        t = cuda.threadIdx.x
        tile[t] = particles[t]
        cuda.syncthreads()
        out[t] = tile[63 - t].mass + tile[63 - t].at[1]

    assert [] == race_of(hand_over, np.zeros(64, DTYPE), np.zeros(64, np.float32))


def test_a_record_stored_whole_races_with_a_field_that_is_read():
    def hand_over(particles, out):
        tile = cuda.shared.array(64, PARTICLE)
        t = cuda.threadIdx.x
        tile[t] = particles[t]
        out[t] = tile[63 - t].mass

    assert ["race"] == race_of(hand_over, np.zeros(64, DTYPE), np.zeros(64, np.float32))


def test_a_whole_record_that_is_copied_is_read():
    def copy(particles):
        t = cuda.threadIdx.x
        particles[t].mass = float32(t)
        if t < 32:
            particles[t] = particles[t + 32]

    assert ["race"] == race_of(copy, np.zeros(64, DTYPE))


def test_a_field_is_the_same_cell_however_it_is_named():
    def by_array_and_by_record(particles, out):
        t = cuda.threadIdx.x
        particles.mass[t] = float32(t)
        out[t] = particles[63 - t].mass

    def by_atomic_and_by_record(particles, out):
        t = cuda.threadIdx.x
        cuda.atomic.add(particles[0], "mass", float32(t))
        out[t] = particles[0].mass

    for kernel in (by_array_and_by_record, by_atomic_and_by_record):
        assert "race" in race_of(kernel, np.zeros(64, DTYPE), np.zeros(64, np.float32)), kernel.__name__
