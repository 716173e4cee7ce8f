"""One PTX serves several architectures, except where one of them needs its own."""

import numpy as np
import pytest

pytest.importorskip("numba.cuda")
from llvmlite import ir
from numba import cuda, int32
from numba.cuda.extending import intrinsic

from autograder.lint import lint, signature_of
from autograder.lint.compiler import lower, unavailable_reason
from autograder.lint.machine_code import assembly
from autograder.lint.machine_code.assembly import assemble_for, target_of
from tests.autograder.lint import kernels

pytestmark = pytest.mark.skipif(bool(unavailable_reason()), reason=unavailable_reason() or "compiler present")
WORDS = np.zeros(32, np.int32)
LINE = np.zeros(64, np.float32)
TABLE = np.zeros((8, 8), np.float32)


@intrinsic
def warp_sum(typing_context, value):
    """redux.sync, which exists from sm_80 on."""

    def generate(context, builder, signature, arguments):
        word = ir.IntType(32)
        text = "redux.sync.add.s32 $0, $1, 0xffffffff;"
        return builder.call(ir.InlineAsm(ir.FunctionType(word, [word]), text, "=r,r", side_effect=True), arguments)

    return int32(int32), generate


@cuda.jit
def sums_a_warp(src, dst):
    i = cuda.grid(1)
    dst[i] = warp_sum(src[i])


@cuda.jit
def meets_the_grid(dst):
    grid = cuda.cg.this_grid()
    dst[0] = 1
    grid.sync()
    dst[1] = 2


@pytest.mark.parametrize(
    ("kernel", "values"),
    [(kernels.copy, (LINE, LINE)), (kernels.transpose, (TABLE, TABLE)), (kernels.limited, (LINE, LINE))],
)
def test_facts_are_the_same_as_from_an_architectures_own_ptx(kernel, values):
    lowered = lower(kernel, signature_of(values), "sm_75")
    together = assemble_for(lowered, ("sm_75", "sm_80", "sm_90")).facts
    alone = {name: assemble_for(lowered, (name,)).facts[name] for name in together}
    assert alone == together


def test_long_code_is_assembled_for_the_newest_alone(monkeypatch):
    lowered, every = lower(kernels.copy, signature_of((LINE, LINE)), "sm_75"), ("sm_75", "sm_90", "sm_80")
    monkeypatch.setattr(assembly, "LONG", 0)
    found = assemble_for(lowered, every)

    assert found.facts == {"sm_90": assemble_for(lowered, ("sm_90",)).facts["sm_90"]} and not found.refused


def test_long_code_that_the_newest_refuses_of_an_older_one_gets_its_own(monkeypatch):
    monkeypatch.setattr(assembly, "LONG", 0)
    report = lint(sums_a_warp, signature_of((WORDS, WORDS)), architectures=("sm_75", "sm_80"))

    assert {"sm_80"} == {*report.facts} and report.error is None


def test_an_architecture_without_a_feature_is_a_note_and_the_others_have_facts():
    report = lint(sums_a_warp, signature_of((WORDS, WORDS)), architectures=("sm_75", "sm_80", "sm_90"))
    assert ["sm_80", "sm_90"] == list(report.facts) and report.ok
    (finding,) = report.findings
    assert ("assembler_refuses", "note") == (finding.kind, finding.severity)
    assert "for sm_75: Feature 'redux' requires .target sm_80 or higher" in finding.says


def test_a_kernel_that_no_architecture_takes_is_an_error():
    report = lint(sums_a_warp, signature_of((WORDS, WORDS)), architectures=("sm_75",))
    assert not report.ok


def test_a_grid_wide_barrier_needs_no_library_to_have_facts():
    report = lint(meets_the_grid, signature_of((WORDS,)), architectures=("sm_75",))
    assert report.ok and ["sm_75"] == list(report.facts)


def test_targets_are_the_ones_that_numba_cuda_compiles_for():
    assert ["sm_75", "sm_89", "sm_90a", "sm_90a"] == [target_of(one) for one in ("sm_75", "sm_89", "sm_90", "sm_90a")]
