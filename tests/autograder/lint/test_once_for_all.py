"""What numba works out once and is told again afterwards changes nothing of what it makes of a kernel."""

import math
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("numba.cuda")
from numba import cuda, float32

from autograder.lint import lint, signature_of, unavailable_reason
from autograder.lint.machine_code import once_for_all
from autograder.lint.machine_code.before_compiling import prepare

pytestmark = pytest.mark.skipif(bool(unavailable_reason()), reason="no compiler here")
LINES = (np.zeros(64, np.float32), np.zeros(64, np.float32))
APART = f"""
from autograder.lint.machine_code import once_for_all
once_for_all.keep = lambda: None
from {__name__} import told
print(told())
"""


@cuda.jit(device=True)
def grown(x, by=2):
    return x * float32(by) + math.sqrt(x)


def exponential(src, dst):
    i = cuda.grid(1)
    if i < src.size:
        dst[i] = grown(src[i]) / math.exp(src[i]) + i // 3


def told() -> str:
    """All that the compiler says of a kernel, plain and with fastmath, in turns."""
    kernels = [cuda.jit(exponential), cuda.jit(fastmath=True)(exponential)]
    return str([lint(kernel, signature_of(LINES), architectures=("sm_80",)) for kernel in (*kernels, *kernels[::-1])])


def test_the_report_is_that_of_a_process_in_which_nothing_is_kept():
    prepare()
    apart = subprocess.run([sys.executable, "-c", APART], check=True, stdout=subprocess.PIPE, text=True)
    assert apart.stdout.strip() == told()


def scaled(factor):
    """A kernel of its own for each factor, with the same types."""

    def kernel(src, dst):
        i = cuda.grid(1)
        if i < src.size:
            dst[i] = src[i] * factor / math.exp(src[i]) + i // 3

    return kernel


def test_numba_is_asked_once_for_the_types_of_a_call():
    asked = []
    for factor in map(np.float32, (2, 3, 4)):
        report = lint(cuda.jit(scaled(factor)), signature_of(LINES), architectures=("sm_80",))
        asked.append(len(once_for_all._calls))
        assert report.error is None

    assert 0 < asked[0] and asked[1] == asked[2]
