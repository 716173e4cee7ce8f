"""Of a launch of a GPU's size a sample of the blocks runs; what was not run is told, and accuses nobody."""

import numpy as np

from simt.cuda_api import cuda
from simt.launching.geometry import sampled_batches
from simt.programs.progress import duration
from simt.programs.session import Session
from simt.programs.wording import not_run, text_of

BLOCKS = 1 << 16


@cuda.jit
def past_the_end(out):
    out[cuda.grid(1) + 1] = 0


@cuda.jit
def number(places):
    i = cuda.grid(1)
    places[i] = i


@cuda.jit
def scatter(places, out):
    i = cuda.grid(1)
    out[places[i]] = i


def test_the_last_blocks_are_among_those_that_run_and_the_others_are_counted():
    with Session(sample=8) as session:
        past_the_end[BLOCKS, 32](cuda.device_array(BLOCKS * 32, np.float32))

    assert ["out_of_bounds"] == [report.kind for report in session.findings]
    assert "of past_the_end, 65,528 of 65,536 blocks did not run" == not_run(session)[0]
    assert "no result of this run counts" in text_of(session)


def test_what_a_later_launch_does_with_what_was_not_written_is_a_note():
    places, out = cuda.device_array(BLOCKS * 32, np.int32), cuda.device_array(BLOCKS * 32, np.int32)
    with Session(sample=8) as session:
        number[BLOCKS // 2, 32](places)
        scatter[BLOCKS, 32](places, out)

    assert [] == session.findings
    notes = [report for report in session.reports if report.note]
    assert notes and all("blocks that were not run" in report.certainty for report in notes)


def test_a_launch_that_is_small_enough_runs_whole_and_so_does_one_with_a_grid_barrier():
    @cuda.jit
    def meets(out):
        cuda.cg.this_grid().sync()
        out[cuda.grid(1)] = 1

    out = np.zeros(64 * 32)
    with Session(sample=8) as session:
        number[8, 32](cuda.device_array(256, np.int32))
        meets[64, 32](out)

    assert [] == not_run(session)
    assert 64 * 32 == out.sum()


def test_a_sample_holds_both_ends_and_neighbours_between():
    assert [0, 1, 48, 49, 50, 51, 98, 99] == [int(one) for ids in sampled_batches(100, 3, 8) for one in ids]


def test_times_are_told_in_the_unit_that_one_would_say():
    assert ["40 s", "3 min", "5 h", "9 days"] == [duration(one) for one in (40, 180, 5 * 3600, 9 * 86400)]
