"""Results that nobody sees: kept under a name of the function's own, or left on the device."""

import textwrap

import pytest

from simt.programs.session import Session
from tests.programs.test_notes import IMPORTS, told

REBOUND = """
    @cuda.jit(device=True)
    def push(stack, top, value):
        stack[top] = value
        {last}
    @cuda.jit
    def kernel(out):
        top = 0
        push(out, top, 5)
        push(out, top, 6)
    kernel[1, 1](np.zeros(4))
    """


@pytest.mark.parametrize("last", ["top += 1", "top = top + 1", "stack = value"])
def test_a_parameter_that_is_given_a_value_nobody_reads_is_told(last):
    (report,) = told(REBOUND.format(last=last), "no_effect")
    assert f"`{last}`" in report.finding.message and report.note


READ = [
    "top += 1\n        return top",
    "stack[top] = top",
    "for k in range(2):\n            top += k\n        stack[0] = top",
]


@pytest.mark.parametrize("last", [*READ, "while top > 0:\n            top -= 1"])
def test_a_parameter_whose_value_is_read_is_not(last):
    assert [] == told(REBOUND.format(last=last), "no_effect")


def test_a_kernel_that_gives_its_array_s_name_to_a_number_is_told():
    program = """
        @cuda.jit
        def total(x, n, out):
            s = 0.0
            n = min(n, x.size)
            for k in range(n):
                s += x[k]
            out = s
            n = 0
        total[1, 1](np.ones(4), 4, np.zeros(1))
        """
    (report,) = told(program, "no_effect")
    assert "the name `out`" in report.finding.message


@pytest.mark.parametrize(
    ("last", "notes"),
    [("b = b + 1", 1), ("a[i] = b", 0), ("print(b)", 0), ("assert b < 9", 0), ("cuda.atomic.add(a, 0, b)", 0)],
)
def test_a_kernel_that_stores_nothing_is_told(last, notes):
    program = f"""
        @cuda.jit
        def kernel(a):
            i = cuda.grid(1)
            b = a[i]
            {last}
        kernel[1, 4](np.zeros(4))
        """
    found = told(program, "no_effect")
    assert notes == len(found) and all("`kernel` stores nothing" in one.finding.message for one in found)


DOUBLE = """
@cuda.jit
def double(a, out):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = 2 * a[i]
"""
LEFT = {
    "printed": "a = np.arange(4.0)\nd = cuda.to_device(a)\ndouble[1, 4](d, d)\nprint(a)",
    "compared": "a = np.ones(4)\nout = np.zeros(4)\nd = cuda.to_device(out)\ndouble[1, 4](cuda.to_device(a), d)\n"
    "print(np.allclose(out, 2 * a))",
    "returned": "def run(a):\n    d = cuda.to_device(a)\n    double[1, 4](d, d)\n    return a\nrun(np.ones(4))",
    "by a helper": "def go(d):\n    double[1, 4](d, d)\na = np.ones(4)\nd = cuda.to_device(a)\ngo(d)\nassert a.sum()",
}
FETCHED = {
    "copied back": "a = np.ones(4)\nd = cuda.to_device(a)\ndouble[1, 4](d, d)\nd.copy_to_host(a)\nprint(a)",
    "copied back in part": "a = np.ones(4)\nd = cuda.to_device(a)\ndouble[1, 4](d, d)\nx = d[2]\nprint(a)",
    "another result is copied": "a = np.ones(4)\nd, o = cuda.to_device(a), cuda.device_array(4)\ndouble[1, 4](d, o)\n"
    "double[1, 4](o, d)\nprint(o.copy_to_host(), a)",
    "not read again": "a = np.ones(4)\nd = cuda.to_device(a)\ndouble[1, 4](d, d)\nprint(a.shape, len(a))",
    "given anew": "a = np.ones(4)\nd = cuda.to_device(a)\ndouble[1, 4](d, d)\na = np.zeros(4)\nprint(a)",
    "only read by the kernel": "a = np.ones(4)\nd, o = cuda.to_device(a), np.zeros(4)\ndouble[1, 4](d, o)\nprint(a, o)",
    "an input for other code": "def check(x):\n    return 0\na = np.ones(4)\nd = cuda.to_device(a)\n"
    "double[1, 4](d, d)\ncheck(a)",
    "shown to another library": "a = np.ones(4)\nd = cuda.to_device(a)\ndouble[1, 4](d, d)\n"
    "d.__cuda_array_interface__\nprint(a)",
}


def lost(tmp_path, host: str) -> list:
    """The notes of a program that is a file, as its source is read."""
    file = tmp_path / "program.py"
    file.write_text(IMPORTS + DOUBLE + textwrap.dedent(host) + "\n")
    with Session() as session:
        exec(compile(file.read_text(), str(file), "exec"), {"__name__": "program"})
    return [report for report in session.reports if report.kind == "not_copied"]


@pytest.mark.parametrize("name", LEFT)
def test_a_host_array_whose_copy_was_changed_and_never_fetched_is_told(name, tmp_path, capsys):
    (report,) = lost(tmp_path, LEFT[name])
    assert report.note and 3 == len(report.places)
    assert "nothing of it is ever copied back" in report.finding.message


@pytest.mark.parametrize("name", FETCHED)
def test_what_was_fetched_or_may_be_meant_is_not(name, tmp_path, capsys):
    assert [] == lost(tmp_path, FETCHED[name])


DROPPED = "a = np.ones(4)\nd = cuda.to_device(a)\ndouble[1, 4](d, d)\nd.copy_to_host(){more}\nprint(a)"


def test_a_copy_to_the_host_that_is_kept_nowhere_is_told(tmp_path, capsys):
    (report,) = lost(tmp_path, DROPPED.format(more=""))
    assert "gives a new array, which is kept nowhere: what `double`" in report.finding.message
    assert [] == lost(tmp_path, DROPPED.format(more="; d.copy_to_host(a)"))
    assert [] == lost(tmp_path, DROPPED.format(more=".sum()"))


def test_elements_that_nobody_wrote_and_that_are_copied_to_the_host_are_told(tmp_path):
    program = """
        @cuda.jit
        def some(a, out):
            i = cuda.grid(1)
            if a[i] > {least}:
                out[i] = a[i]
        d = cuda.device_array(4)
        some[1, 4](np.arange(4.0), d)
        d.copy_to_host()
        """
    (report,) = told(program.format(least=1), "unwritten")
    assert "brings 2 of 4 elements to the host that nobody has written, [0] the first" in report.finding.message
    assert [] == told(program.format(least=-1), "unwritten")


def test_a_partial_sum_that_nobody_reads_is_told():
    program = """
        @cuda.jit
        def total(a, out):
            s = cuda.shared.array(64, float32)
            t = cuda.threadIdx.x
            s[t] = a[t]
            cuda.syncthreads()
            d = cuda.blockDim.x // 2
            while d > 0:
                if t < d:
                    s[t] += s[t + d]
                cuda.syncthreads()
                d //= 2
            if t == 0:
                out[0] = s[0]
        total[1, {threads}](np.ones(64), np.zeros(1))
        """
    (report,) = told(program.format(threads=48), "lost_sum")
    assert "s[2]" in report.finding.message
    assert [] == told(program.format(threads=64), "lost_sum")


def test_a_function_of_guvectorize_that_returns_a_value_is_refused():
    program = """
        from simt.cuda_api.guvectorize import guvectorize
        @guvectorize(["void(float64[:], float64[:])"], "(n)->()", target="cuda")
        def total(x, out):
            return x[0]
        """
    with pytest.raises(TypeError, match="total cannot return values"):
        told(program, "")
