"""Notes on launches: positions worked out with the wrong size, clocks, copies and prints."""

import textwrap

import pytest

from simt.programs.session import Session
from tests.programs.test_notes import IMPORTS, told

STRIDE = """
    @cuda.jit
    def inc(a):
        i = {start}
        for k in range(i, a.size, {step}):
            a[k] += 1
    inc[{blocks}, 32](np.zeros(128))
    """


def test_a_stride_of_the_block_is_the_cause_of_what_comes_of_it():
    (note,) = told(STRIDE.format(start="cuda.grid(1)", step="cuda.blockDim.x", blocks=4), "short_stride")
    assert "cuda.gridsize(1)" in note.finding.remedy
    (race,) = told(STRIDE.format(start="cuda.grid(1)", step="cuda.blockDim.x", blocks=4), "race")
    assert race.finding.remedy.startswith("See the note on line 8,") and "atomic" not in race.finding.remedy


RIGHT_STRIDES = [
    {"start": "cuda.grid(1)", "step": "cuda.gridsize(1)", "blocks": 4},
    {"start": "cuda.threadIdx.x", "step": "cuda.blockDim.x", "blocks": 1},
    {"start": "cuda.grid(1)", "step": "cuda.blockDim.x", "blocks": 1},
]


@pytest.mark.parametrize("case", RIGHT_STRIDES, ids=lambda case: f"{case['step']} in {case['blocks']} blocks")
def test_other_strides_are_not(case):
    assert [] == told(STRIDE.format(**case), "short_stride")


def test_a_while_loop_has_a_stride_too():
    program = """
        @cuda.jit
        def inc(a):
            i = cuda.grid(1)
            while i < a.size:
                a[i] += 1
                i += cuda.blockDim.x
        inc[4, 32](np.zeros(128))
        """
    assert 1 == len(told(program, "short_stride"))
    assert [] == told(program.replace("cuda.blockDim.x", "cuda.blockDim.x * cuda.gridDim.x"), "short_stride")


def test_blocks_that_begin_as_far_apart_as_the_grid_is_long_are_told():
    program = """
        @cuda.jit
        def one(a):
            i = cuda.threadIdx.x + cuda.blockIdx.x * cuda.{size}
            a[i] = 1
        one[2, 32](np.zeros(64))
        """
    (found,) = told(program.format(size="gridsize(1)"), "out_of_bounds")
    assert "cuda.blockIdx.x * cuda.blockDim.x" in found.finding.remedy
    assert 1 == len(told(program.format(size="gridDim.x"), "short_stride"))
    assert [] == told(program.format(size="blockDim.x"), "short_stride")


AXES = """
    @cuda.jit
    def inc(a):
        i = {position}
        if i < a.size:
            a[i] += 1
    inc[2, {block}](np.zeros(64))
    """


def test_a_launch_with_axes_that_no_thread_asks_for_is_the_cause_of_its_races():
    (note,) = told(AXES.format(position="cuda.grid(1)", block=(16, 4)), "unused_axis")
    assert "4 threads each do the same" in note.finding.message
    (race,) = told(AXES.format(position="cuda.grid(1)", block=(16, 4)), "race")
    assert race.finding.remedy.startswith("See the note on this launch")


@pytest.mark.parametrize(
    ("position", "block"),
    [("cuda.grid(1)", 32), ("cuda.grid(1) * 4 + cuda.threadIdx.y", (16, 4)), ("sum(cuda.grid(2))", (16, 4))],
)
def test_a_launch_whose_axes_are_asked_for_is_not(position, block):
    assert [] == told(AXES.format(position=position, block=block), "unused_axis")


BY_THREAD = """
    @cuda.jit
    def square(a, out):
        t = {position}
        if t < out.size:
            out[t] = a[t] ** 2
    square[4, 32](np.ones({size}), np.zeros({size}))
    """


def test_blocks_that_all_store_the_first_elements_are_told():
    (note,) = told(BY_THREAD.format(position="cuda.threadIdx.x", size=120), "by_thread_alone")
    assert "out[32] to out[119] are stored by nobody" in note.finding.message
    assert [] == told(BY_THREAD.format(position="cuda.grid(1)", size=120), "by_thread_alone")
    assert [] == told(BY_THREAD.format(position="cuda.threadIdx.x", size=32), "by_thread_alone")


def test_more_lines_than_a_gpu_keeps_are_told(capsys):
    program = """
        @cuda.jit
        def show(n):
            for k in range(n):
                print(k, cuda.grid(1), 1.0)
        show[8, 256]({n})
        """
    (note,) = told(program.format(n=20), "print_buffer")
    assert "40,960 lines, which take 1,310,720 bytes" in note.finding.message
    assert [] == told(program.format(n=4), "print_buffer")


STREAMS = """
    s, t = cuda.stream(), cuda.stream()
    h = {host}
    for one, part in ((s, h[:4]), (t, h[4:])):
        d = cuda.to_device(part, stream={stream})
        d.copy_to_host(part, stream={stream})
    cuda.synchronize()
    """


def test_memory_that_is_not_pinned_is_told_where_streams_are_to_run_side_by_side():
    (note,) = told(STREAMS.format(host="np.ones(8)", stream="one"), "pageable")
    assert 2 == len(note.places)
    assert [] == told(STREAMS.format(host="np.ones(8)", stream="s"), "pageable")
    assert [] == told(STREAMS.format(host="cuda.pinned_array(8)", stream="one"), "pageable")


TIMED = """
import time
@cuda.jit
def work(a):
    a[cuda.grid(1)] += 1
a = {array}
start = time.perf_counter()
work[1, 4](a)
{between}
took = time.perf_counter() - start
"""


@pytest.mark.parametrize(
    ("array", "between", "notes"),
    [
        ("cuda.to_device(np.zeros(4))", "", 1),
        ("cuda.to_device(np.zeros(4))", "for k in range(3):\n    work[1, 4](a)", 1),
        ("cuda.to_device(np.zeros(4))", "cuda.synchronize()", 0),
        ("cuda.to_device(np.zeros(4))", "b = a.copy_to_host()", 0),
        ("np.zeros(4)", "", 0),
    ],
)
def test_a_clock_that_is_read_before_the_kernel_is_done_is_told(array, between, notes, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(IMPORTS + textwrap.dedent(TIMED.format(array=array, between=between)))
    with Session() as session:
        exec(compile(file.read_text(), str(file), "exec"), {"__name__": "program"})
    assert notes == len([report for report in session.reports if report.kind == "early_clock"])


PLACES = """
    @cuda.jit
    def fill(a):
        {names} = cuda.grid(2)
        if i < a.shape[0] and j < a.shape[1]:
            {store}
    fill[{launch}](np.zeros({shape}))
    """


@pytest.mark.parametrize(
    ("names", "store", "launch", "shape", "told_of"),
    [
        ("i, j", "a[i, j] = i + j", "1, 16", (4, 4), "4 columns"),
        ("j, i", "a[i, j] = i + j", "2, 16", (4, 5), "4 rows"),
        ("i, j", "a[i, j] = i + j", "1, (16, 4)", (4, 4), ""),
        ("i, j", "a[i, j] = i + j", "1, 16", (16, 1), ""),
        ("i, j", "a[i, j] = i + j", "1, 1", (4, 4), ""),
        ("i, j", "for k in range(j, 4): a[i, k] = 1", "1, 16", (4, 4), ""),
        ("i, j", "a[i, 0] = j", "1, 16", (4, 4), ""),
    ],
)
def test_an_axis_of_which_the_launch_has_one_thread_is_told(names, store, launch, shape, told_of):
    notes = told(PLACES.format(names=names, store=store, launch=launch, shape=shape), "missing_axis")
    assert bool(told_of) == bool(notes) and all(told_of in note.finding.message for note in notes)


POSITION = """
    @cuda.jit
    def fill(x):
        tx, bx, bw = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockDim.x
        i = {formula}
        if i < x.size:
            x[i] = 1
    fill[4, 64](np.zeros(256))
    """
ONE_NUMBER = (
    "cuda.blockIdx.x + cuda.blockDim.x + cuda.threadIdx.x",
    "cuda.blockIdx.x * cuda.blockDim.x * cuda.threadIdx.x",
    "tx + bx + bw",
    "(bx + tx) * bw",
)
OWN_NUMBERS = (
    "cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x",
    "tx + bx * bw",
    "tx * bw + bx",  # every thread has one of its own, in another order
    "bx + tx",  # a window that moves by one from block to block
    "2 * bx * bw + tx",
    "bx * (bw - 2) + tx",  # tiles that overlap
)


@pytest.mark.parametrize("formula", ONE_NUMBER)
def test_a_formula_that_gives_several_threads_one_number_is_told(formula):
    (report,) = told(POSITION.format(formula=formula), "shared_position")
    assert report.note and "both get" in report.finding.message and "cuda.grid(1)" in report.finding.remedy


@pytest.mark.parametrize("formula", OWN_NUMBERS)
def test_a_formula_that_gives_each_thread_its_own_is_not(formula):
    assert [] == told(POSITION.format(formula=formula), "shared_position")
