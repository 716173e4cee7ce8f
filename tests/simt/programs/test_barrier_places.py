"""`warpbook run` says where the barrier of an `if` belongs."""

import pytest

from tests.programs.test_notes import told

KERNEL = """
    @cuda.jit
    def halves(x, out):
        tile = cuda.shared.array(64, float32)
        t = cuda.threadIdx.x
        {start}
        {body}
    halves[1, 64](np.ones(64, np.float32), np.zeros(64, np.float32))
    """
WORK, BARRIER, NEXT = "tile[t] = x[t]", "cuda.syncthreads()", "out[t] = tile[t]"


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ((BARRIER, NEXT), "before the `if`"),
        ((WORK, BARRIER), "after all of the `if`"),
        ((WORK, BARRIER, NEXT), "begin another with the same condition"),
    ],
)
def test_it_goes_before_after_or_between(body, place):
    lines = "\n            ".join(("if t < 32:", *body))
    (report,) = told(KERNEL.format(start=WORK, body=lines), "barrier_divergence")
    assert place in report.finding.remedy


def test_a_barrier_that_stands_alone_is_moved_without_a_word_about_where():
    (report,) = told(KERNEL.format(start=WORK, body=f"if t < 32: {BARRIER}"), "barrier_divergence")
    assert "so that every thread arrives" in report.finding.remedy and "`if`" not in report.finding.remedy
