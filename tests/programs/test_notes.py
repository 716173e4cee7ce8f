"""Notes of `warpbook run`: what is no mistake in itself, told with its line and its cause."""

import textwrap

import numpy as np
import pytest

from simt.errors import SimtError
from simt.programs.notes.folds import note_on
from simt.programs.session import Session

IMPORTS = "import numpy as np\nfrom simt.cuda_api import cuda\nfrom simt.cuda_api.cuda import float32, int32\n"


def told(program: str, kind: str) -> list:
    """The notes and findings of one kind that a program earns."""
    names: dict = {"__name__": "program"}
    with Session() as session:
        exec(IMPORTS + textwrap.dedent(program), names)
    return [report for report in session.reports if report.kind == kind]


PROGRAMS = {
    "unassigned": """
        @cuda.jit
        def double(a, out):
            i = cuda.grid(1)
            if a[i] > 0:
                twice = 2 * a[i]
            out[i] = twice
        double[2, 2](np.arange(4.0), np.zeros(4))
        """,
    "uncalled": """
        @cuda.jit
        def turn(a, out):
            tile = cuda.shared.array(32, float32)
            tile[cuda.threadIdx.x] = a[cuda.threadIdx.x]
            cuda.syncthreads
            out[cuda.threadIdx.x] = tile[31 - cuda.threadIdx.x]
        turn[1, 32](np.zeros(32), np.zeros(32))
        """,
    "silent_exception": """
        @cuda.jit
        def invert(a):
            i = cuda.grid(1)
            if a[i] == 0:
                raise ValueError("zero")
            a[i] = 1 / a[i]
        invert[1, 4](np.arange(4.0))
        """,
    "same_bytes": """
        @cuda.jit
        def both(out):
            t = cuda.threadIdx.x
            a = cuda.shared.array(0, float32)
            b = cuda.shared.array(0, int32)
            a[t] = t
            b[t] = 7
            out[t] = a[t] + b[t]
        both[1, 32, 0, 256](np.zeros(32))
        """,
    "narrowed": """
        @cuda.jit
        def add_up(img, out):
            for k in range(img.size):
                out[0] += img[k]
        add_up[1, 1](np.full(4, 100, np.uint8), np.zeros(1, np.uint8))
        """,
    "transposed_copy": """
        @cuda.jit
        def fill(a):
            a[cuda.grid(1), 0] = 1
        fill[1, 4](cuda.to_device(np.zeros((3, 4))).T)
        """,
    "frozen_value": """
        taps, scale = np.ones(2), 2
        @cuda.jit
        def weigh(a):
            a[0] = taps[0] * scale
        weigh[1, 1](np.zeros(1))
        taps[0] = 3
        weigh[1, 1](np.zeros(1))
        """,
    "grouping": """
        @cuda.reduce
        def difference(a, b):
            return a - b
        difference(np.arange(10.0))
        """,
    "one_thread": """
        from simt.cuda_api.guvectorize import guvectorize
        @guvectorize(["void(float32[:,:], float32[:,:])"], "(m,n)->(m,n)", target="cuda")
        def double(a, b):
            for i in range(a.shape[0]):
                for j in range(a.shape[1]):
                    b[i, j] = 2 * a[i, j]
        double(np.ones((24, 24), np.float32))
        """,
    "two_barriers": """
        @cuda.jit
        def settle(a):
            busy = 1
            while cuda.syncthreads_or(busy):
                busy = 0
                if cuda.threadIdx.x == 0:
                    continue
                a[cuda.threadIdx.x] += 1
        settle[1, 32](np.zeros(32))
        """,
    "swapped_launch": """
        @cuda.jit
        def sums(a, out):
            t = cuda.threadIdx.x
            tile = cuda.shared.array(64, float32)
            tile[t] = a[t]
            cuda.syncthreads()
            if t == 0:
                out[cuda.blockIdx.x] = tile[63]
        sums[64, 10](np.zeros(640), np.zeros(10))
        """,
    "uncovered": """
        @cuda.jit
        def double(a, out):
            i = cuda.grid(1)
            if i < out.size:
                out[i] = 2 * a[i]
        double[1000 // 64, 64](np.ones(1000), np.zeros(1000))
        """,
}
RIGHT = {
    "unassigned": PROGRAMS["unassigned"].replace("np.arange(4.0)", "np.ones(4)"),
    "same_bytes": PROGRAMS["same_bytes"].replace("(0, int32)", "(0, int32)[32:]"),
    "narrowed": PROGRAMS["narrowed"].replace("100", "50"),
    "transposed_copy": PROGRAMS["transposed_copy"].replace(".T", ""),
    "frozen_value": PROGRAMS["frozen_value"].replace("taps[0] = 3", "taps[0] = 1"),
    "one_thread": PROGRAMS["one_thread"].replace("(24, 24)", "(24, 24, 1)"),
    "grouping": PROGRAMS["grouping"].replace("a - b", "a + b"),
    "two_barriers": PROGRAMS["two_barriers"].replace("continue", "pass"),
    "swapped_launch": PROGRAMS["swapped_launch"].replace("[64, 10]", "[10, 64]"),
    "uncalled": PROGRAMS["uncalled"].replace("cuda.syncthreads\n", "cuda.syncthreads()\n"),
    "silent_exception": PROGRAMS["silent_exception"].replace("np.arange(4.0)", "np.ones(4)"),
    "uncovered": PROGRAMS["uncovered"].replace("1000 // 64", "1063 // 64"),
}


@pytest.mark.parametrize("kind", PROGRAMS)
def test_it_is_told_with_its_cause_and_not_where_all_is_well(kind):
    (report,) = told(PROGRAMS[kind], kind)
    assert report.places and report.finding.remedy
    assert report.note or kind == "swapped_launch"
    assert [] == told(RIGHT[kind], kind)


def test_a_function_that_folds_to_no_number_is_refused_by_the_launch_itself():
    with pytest.raises(SimtError):
        told(PROGRAMS["grouping"].replace("a - b", "(a, b)"), "grouping")


def test_a_folding_function_that_does_more_than_compute_is_not_called_by_who_looks_at_it():
    def more(a, b):
        print(a)
        return a - b

    with_rate = eval("lambda a, b: max(a, b) - RATE", {"RATE": 2.0})
    assert None is note_on(more, (np.arange(10.0),))
    assert "grouping" == note_on(with_rate, (np.arange(10.0),)).kind


@pytest.mark.parametrize("failing", ["launched.OneLaunch.outcome", "session.note_on"])
def test_a_look_of_ours_that_fails_ends_no_program(failing, monkeypatch):
    def fails(*given):
        raise ValueError("ours")

    monkeypatch.setattr(f"simt.programs.{failing}", fails)
    with Session() as session:
        exec(IMPORTS + textwrap.dedent(PROGRAMS["grouping"] + PROGRAMS["uncovered"]), {"__name__": "program"})
    assert any("failed (ValueError: ours)" in remark for remark in session.remarks)


ONLY_WHERE_ASSIGNED = {
    "behind the same guard": """
        if i < out.size:
            v = a[i]
        cuda.syncthreads()
        if i < out.size:
            out[i] = v
        """,
    "after a return": """
        if i >= out.size:
            return
        elif i > 2:
            v = 1.0
        else:
            v = 2.0
        out[i] = v
        """,
    "in a later turn of a loop": """
        for k in range(3):
            if k > 0 and i < out.size:
                out[i] = v
            v = 1.0
        """,
    "in the half of an expression that is not worked out": """
        if i < 2:
            v = 1.0
        if i < out.size:
            out[i] = v if i < 2 else 0.0
            out[i] += 1.0 if i < 2 and v > 0 else 0.0
        """,
    "on one line": """
        if i < out.size: v = 1.0; out[i] = v
        """,
}


@pytest.mark.parametrize("body", ONLY_WHERE_ASSIGNED.values(), ids=ONLY_WHERE_ASSIGNED)
def test_a_variable_may_be_read_by_the_threads_that_assigned_it(body):
    head = "@cuda.jit\ndef kernel(a, out):\n    i = cuda.grid(1)\n"
    program = (
        head + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ") + "\nkernel[2, 4](np.ones(8), np.zeros(6))\n"
    )
    assert [] == told(program, "unassigned")


def test_the_thread_and_the_line_that_it_did_not_come_by_are_told():
    (report,) = told(PROGRAMS["unassigned"], "unassigned")
    assert "Thread 0 of block 0 reads the variable `twice` at line 10" in report.finding.message
    assert "has not come by line 9" in report.finding.message
    assert 1 == report.finding.count


def test_other_types_are_compiled_anew_and_read_what_the_module_holds_by_then():
    program = PROGRAMS["frozen_value"].replace("weigh[1, 1](np.zeros(1))\n        taps", "weigh[1, 1](x)\n        taps")
    program = program.replace("weigh[1, 1](np.zeros(1))", "weigh[1, 1](y)\n        assert (2, 6) == (x[0], y[0])")
    program = program.replace("taps, scale", "x, y = np.zeros(1), np.zeros(1, np.float32)\n        taps, scale")
    assert [] == told(program, "frozen_value")


def test_threads_that_share_a_state_of_the_random_numbers_are_told_at_the_programs_line():
    pytest.importorskip("numba.cuda.random")
    program = """
        from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float64
        @cuda.jit
        def noise(states, out):
            r, c = cuda.grid(2)
            out[r, c] = xoroshiro128p_uniform_float64(states, r)
        from simt.cuda_api import random
        noise[1, (4, 4)](random.create_xoroshiro128p_states(4, seed=1), np.zeros((4, 4)))
        """
    (report,) = told(program, "race")
    assert [9] == [where.line for where in report.places]
    assert "draw random numbers from states[0]" in report.finding.message


PLANE = """
    @cuda.jit
    def brighten(a, out):
        {names} = cuda.grid(2)
        if row < out.shape[0] and col < out.shape[1]:
            out[row, col] = a[row, col] + 1
    brighten[{grid}, (16, 8)](np.ones((40, 100)), np.zeros((40, 100)))
    """


@pytest.mark.parametrize(("names", "grid"), [("row, col", (7, 5)), ("col, row", (3, 13))])
def test_a_grid_whose_axes_are_exchanged_is_told_with_the_rows_or_columns_that_it_leaves_out(names, grid):
    (report,) = told(PLANE.format(names=names, grid=grid), "uncovered")
    assert "columns 40 to 99 have no thread" in str(report) or "columns 48 to 99 have no thread" in str(report)
    assert "The two axes look exchanged" in str(report)


COVERED = {
    "each axis by its own": PLANE.format(names="row, col", grid=(3, 13)),
    "the other way round": PLANE.format(names="col, row", grid=(7, 5)),
    "a part, by a guard": PROGRAMS["uncovered"].replace("i < out.size", "i < 900"),
    "the first half of a sum": PROGRAMS["uncovered"].replace("2 * a[i]", "a[i] + out[i + 40]"),
    "a grid stride": PROGRAMS["uncovered"].replace("if i < out.size", "for i in range(i, out.size, 960)"),
    "several rounds": PROGRAMS["uncovered"].replace("1000 // 64", "500 // 64"),
    "with an offset": PROGRAMS["uncovered"].replace("cuda.grid(1)", "cuda.grid(1) + 8"),
    "one thread for two elements": PROGRAMS["uncovered"]
    .replace("[1000 // 64, 64]", "[8, 64]")
    .replace("out[i] = 2 * a[i]", "out[2 * i], out[2 * i + 1 - 2 * (2 * i + 1 >= out.size)] = a[i], a[i]"),
    "a part of an array": PROGRAMS["uncovered"].replace("np.zeros(1000)", "np.zeros(1000)[:960]"),
}


@pytest.mark.parametrize("program", COVERED)
def test_a_grid_that_is_as_large_as_it_is_meant_to_be_is_not(program):
    assert [] == told(COVERED[program], "uncovered")
