"""What analyses remember of each element is bounded: of a huge array they are shown a sample, and a trace says so."""

import numpy as np
import pytest

import simt
from simt.analyses import huge_arrays
from simt.analyses.huge_arrays import sample_of
from tests.simt.kernels import cuda
from tests.simt.synthetic import array

N = 1 << 16


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(huge_arrays, "MOST_CELLS", 4096)


def neighbours(x, out, first):
    i = cuda.grid(1)
    if i < out.size - 1:
        out[first + i] = x[i]
        out[first + i + 1] = x[i]


@pytest.mark.parametrize("first", [0, N - 1000, N // 2])
def test_a_race_at_either_end_or_between_is_found_in_the_sample(small, first):
    x, out = np.ones(1000, np.float32), np.zeros(N, np.float32)
    trace = simt.trace(neighbours, 4, 256, x, out[:], first)

    assert ["race"] == [finding.kind for finding in trace.findings if finding.kind == "race"]


def test_the_sample_names_the_kernel_s_own_index_and_says_what_it_left_out(small):
    x, out = np.ones(1000, np.float32), np.zeros(N, np.float32)
    trace = simt.trace(neighbours, 2, 256, x, out, N - 512)

    race = next(finding for finding in trace.findings if finding.kind == "race")
    assert race.detail["index"][0] >= N - 512 or f"out[{N - 5}" in race.message
    assert ["`out` has 65,536 elements"] == [remark.partition(":")[0] for remark in trace.remarks]


def test_a_sample_keeps_its_bound_and_finds_its_elements_again():
    for n_cells in (4097, 10_000, 65_536, 18_000_000_000):
        whole = array(shape=(n_cells,))
        sample = sample_of(whole, 4096)
        cells = np.array([0, 1, 1023, 1024, n_cells // 2, n_cells - 1025, n_cells - 2, n_cells - 1])
        chosen, moved = sample.sampled(cells)

        assert sample.n_cells <= 4096 and sample.stride % 2 == 1
        assert (0 <= moved).all() and (moved < sample.n_cells).all()
        assert [(int(cell),) for cell in cells[chosen]] == [sample.index_of(int(cell)) for cell in moved]
        assert {0, n_cells - 1} <= set(cells[chosen].tolist())


def test_an_array_of_ordinary_size_is_seen_whole():
    x, out = np.ones(1000, np.float32), np.zeros(N, np.float32)
    assert () == simt.trace(neighbours, 4, 256, x, out, 0).remarks
