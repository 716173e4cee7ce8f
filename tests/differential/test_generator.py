"""The generator: the same seed gives the same program, everything it should cover occurs, and no program has a race."""

from __future__ import annotations

import pytest

import simt
from tests.differential import execute
from tests.differential.data import values_of
from tests.differential.program import program_of_decisions, program_of_seed

SAMPLE = 500
COVERED = (
    "int8(", "int16(", "int32(", "int64(", "uint8(", "uint16(", "uint32(", "uint64(", "float16(", "float32(",
    "float64(", "complex64(", "complex(", "np.int32(", "bool(", " // ", " % ", " ** ", " << ", " >> ", " & ", " ^ ",
    "(~", "(-", "abs(", "min(", "max(", "round(", " if ", "elif ", "else:", " and ", " or ", "(not ", " not in (",
    "for ", "while ", "break", "continue", "    return", ", -1):", ", -2):", "cuda.grid(1)", "cuda.grid(2)",
    "cuda.grid(3)", "cuda.gridsize(", "cuda.blockIdx.x", "cuda.laneid", "device=True", "cuda.shared.array(",
    "cuda.shared.array(0,", "cuda.syncthreads()", "syncthreads_count", "cuda.local.array(", "const.array_like",
    "np.array(", "atomic.add", "atomic.sub", "atomic.max", "atomic.min", "atomic.and_", "atomic.or_", "atomic.xor",
    "atomic.cas", "atomic.exch", "atomic.inc", "atomic.dec", "shfl_sync", "shfl_up_sync", "shfl_down_sync",
    "shfl_xor_sync", "all_sync", "any_sync", "eq_sync", "ballot_sync", "match_any_sync", "match_all_sync", "[::2]",
    "[::-1]", "[-5:-1]", "[:, ", "math.sqrt", "math.floor", "math.ceil", "math.trunc", "math.fabs", "math.copysign",
    "math.fmod", "math.ldexp", "math.isnan", "cuda.fma(", "cuda.selp(", "cuda.popc(", "cuda.clz(", "cuda.brev(",
    "cuda.ffs(", ".real", ".conjugate()", "len(", ".size", ".shape[0]", "pow(", " += ", " *= ",
)  # fmt: skip


@pytest.fixture(scope="module")
def sample():
    return [program_of_seed(seed) for seed in range(SAMPLE)]


def test_a_seed_always_gives_the_same_program(sample):
    assert sample[:50] == [program_of_seed(seed) for seed in range(50)]
    assert SAMPLE == len({program.text() for program in sample})


def test_the_decisions_of_a_program_write_it_again(sample):
    for program in sample[:50]:
        assert program == program_of_decisions(program.decisions)


@pytest.mark.parametrize("fragment", COVERED)
def test_what_a_kernel_may_say_occurs(sample, fragment):
    assert any(fragment in program.source for program in sample)


@pytest.mark.parametrize("first", range(0, 32, 8))
def test_no_program_has_a_finding(first):
    """No race, nothing read before it is written, no barrier that some threads miss; negative indices are meant."""
    for seed in range(first, first + 8):
        program = program_of_seed(seed)
        kernel = execute.kernel_of(program, execute.interpreter_names())
        trace = simt.trace(
            kernel, program.grid, program.block, *values_of(program), dynamic_shared_bytes=program.dynamic_bytes
        )
        found = [finding for finding in trace.findings if not finding.detail.get("wraps")]
        assert [] == found, f"seed {seed}: {found[:1]}\n{program.source}"
