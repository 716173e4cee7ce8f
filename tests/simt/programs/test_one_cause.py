"""What one mistake makes is told once: one advice, the lines of all."""

import numpy as np

from simt.cuda_api import cuda
from simt.cuda_api.cuda import float32
from simt.programs.session import Session
from simt.programs.wording import headline_of, sorted_out, text_of


@cuda.jit
def sums(x, out):
    tile = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    if t < x.size:
        tile[t] = x[t]
        cuda.syncthreads()  # first
        tile[t] += 1
        cuda.syncthreads()  # second
        out[t] = tile[t]


@cuda.jit
def neighbours(x, out):
    i = cuda.grid(1)
    out[i] = x[i + 1]
    out[i] += x[i + 1] * 2
    out[i] -= x[i + 2]


def told(kernel, n: int) -> tuple[Session, list]:
    with Session() as session:
        kernel[1, 64](np.zeros(n, np.float32), np.zeros(64, np.float32))
    return session, sorted_out(session)[0]


def test_barriers_that_one_condition_keeps_threads_from_are_one_finding_with_both_lines():
    session, (finding,) = told(sums, 40)
    lines = [where.line for where in finding.places]
    first = sums.py_func.__code__.co_firstlineno + 6
    assert "warpbook: 1 finding in 1 launch of 1 kernel" == headline_of(session)
    assert first in lines and first + 2 in lines and f"The same holds at line {first + 2}." in text_of(session)
    assert 2 == len(session.findings)  # which data still tells apart


def test_one_guard_that_is_missing_is_one_finding_and_another_guard_a_second():
    session, findings = told(neighbours, 64)
    first = neighbours.py_func.__code__.co_firstlineno + 3
    assert [f"The same holds at line {first + 1}."] == [
        one.finding.message[-len("The same holds at line 00.") :]
        for one in findings
        if "same holds" in one.finding.message
    ]
    assert 2 == len(findings) and len({one.finding.remedy for one in findings}) == 2
    assert findings[0].total == 2
