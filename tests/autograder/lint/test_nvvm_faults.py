"""What NVVM refuses although nothing is wrong with it is compiled at a lower level, or told with its cause."""

import numpy as np
import pytest

pytest.importorskip("numba.cuda")

from numba import cuda, float32

from autograder.lint import _machine_code, compiler, lint, signature_of
from autograder.lint.compiler import unavailable_reason
from autograder.lint.fingerprint import Reports
from autograder.lint.nvvm_faults import LostLabel, is_of_nvvm, whole

pytestmark = pytest.mark.skipif(bool(unavailable_reason()), reason=unavailable_reason() or "compiler present")


class nvvmError(Exception):
    """NVVM refused."""


@cuda.jit
def count(out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = i


@pytest.fixture
def report_where_nvvm_fails_at(monkeypatch):
    """What lint says of `count` where NVVM fails at some levels."""

    def report(*levels):
        def lower(kernel, signature, architecture, lines, level):
            if level in levels:
                raise nvvmError("ERROR_COMPILATION (9)")
            return compiler.lower(kernel, signature, architecture, lines, level)

        monkeypatch.setattr("autograder.lint._reports", Reports())
        monkeypatch.setattr("autograder.lint.lower", lower)
        return lint(count, signature_of([np.zeros(4, np.int64)]), architectures=("sm_75",))

    return report


@pytest.mark.parametrize(("levels", "told"), [((), False), ((3,), True)])
def test_a_kernel_that_cannot_be_optimised_compiles_with_a_note(report_where_nvvm_fails_at, levels, told):
    report = report_where_nvvm_fails_at(*levels)

    assert report.error is None and report.facts
    assert told == any(one.kind == "not_optimised" for one in report.findings)


def test_a_kernel_that_compiles_at_no_level_is_an_error(report_where_nvvm_fails_at):
    assert report_where_nvvm_fails_at(3, 1).error is not None


@cuda.jit(device=True)
def first_of_block(x):
    s = cuda.shared.array(32, float32)
    s[cuda.threadIdx.x] = x
    cuda.syncthreads()
    return s[0]


@cuda.jit(device=True)
def first_doubled(x):
    return first_of_block(x) + first_of_block(x)


@cuda.jit
def by_two_ways(out):
    i = cuda.threadIdx.x
    out[i] = first_of_block(out[i]) + first_doubled(out[i])


@cuda.jit
def by_one_way(out):
    out[cuda.threadIdx.x] = first_doubled(out[cuda.threadIdx.x])


def test_a_shared_array_that_numba_hands_over_twice_is_named_with_both_callers():
    signature = signature_of([np.zeros(32, np.float32)])

    told = lint(by_two_ways, signature, architectures=("sm_75",)).error

    assert told.says.startswith("`first_of_block` has a shared array, and `by_two_ways` and `first_doubled` both call")
    assert lint(by_one_way, signature, architectures=("sm_75",)).error is None


@cuda.jit(device=True)
def twice(x):
    return x + x


@cuda.jit
def doubled(out):
    out[cuda.threadIdx.x] = twice(out[cuda.threadIdx.x])


def test_without_line_information_device_functions_have_none_either_though_they_were_compiled_with_it():
    signature = signature_of([np.zeros(32, np.float32)])

    with_lines, without = (compiler.lower(doubled, signature, "sm_75", lines) for lines in (True, False))

    assert ".loc" in compiler.to_ptx(with_lines, "sm_75")
    assert "!dbg" not in without.library.get_llvm_str()


@cuda.jit(device=True)
def escape(cr, ci, limit):
    zr, zi = float32(0), float32(0)
    n = 0
    while n < limit and zr * zr + zi * zi <= float32(4):
        zr, zi = zr * zr - zi * zi + cr, zr * zi + zr * zi + ci
        n += 1
    return n


@cuda.jit
def turns_of_pixels(re, im, limit, turns):
    i = cuda.grid(1)
    row, col = i // turns.shape[1], i % turns.shape[1]
    if row < turns.shape[0]:
        turns[row, col] = escape(re[col], im[row], limit) * 0.1


def test_a_loop_whose_second_end_nvvm_forgets_beside_its_variables_is_lowered_once_and_keeps_its_lines(monkeypatch):
    coordinates, turns = np.zeros(4, np.float32), np.zeros((4, 4), np.int32)
    lowered = []

    def lower(*arguments):
        lowered.append(compiler.lower(*arguments))
        return lowered[-1]

    monkeypatch.setattr("autograder.lint.lower", lower)
    report = lint(turns_of_pixels, signature_of([coordinates, coordinates, 8, turns]), architectures=("sm_75",))

    assert report.error is None and report.facts
    assert not any(one.kind == "assembler_refuses" for one in report.findings)
    last = turns_of_pixels.py_func.__code__.co_firstlineno + 5
    assert {(last,)} == {one.lines for one in report.findings if one.kind == "float64_arithmetic"}
    assert 1 == len(lowered)
    assert ".loc" in compiler.to_ptx(lowered[0], "sm_75")


def test_what_nvvm_refuses_without_variables_too_is_told_in_its_first_words(monkeypatch):
    signature = signature_of([np.zeros(4, np.float32), np.zeros(4, np.float32), 8, np.zeros((4, 4), np.int32)])
    said = iter(["ERROR_COMPILATION (9)", "ERROR_OF_THE_SECOND (7)"])

    def assemble_for(lowered, wanted):
        raise nvvmError(next(said))

    monkeypatch.setattr("autograder.lint.assemble_for", assemble_for)
    with pytest.raises(nvvmError, match="ERROR_COMPILATION"):
        _machine_code(turns_of_pixels, signature, ("sm_75",), True, 3)
    assert [] == list(said)


def test_a_jump_to_no_label_is_a_fault_of_nvvm():
    assert "bra $L__BB0_1;\n$L__BB0_1:\n" == whole("bra $L__BB0_1;\n$L__BB0_1:\n")

    with pytest.raises(LostLabel) as lost:
        whole("@%p8 bra \t$L__BB0_4;\n$L__BB0_3:\n")

    assert "$L__BB0_4" == lost.value.label and is_of_nvvm(lost.value)
