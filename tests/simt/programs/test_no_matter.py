"""A read of what nobody wrote is a note where no result depends on it."""

import pytest

from tests.programs.test_notes import told

KERNEL = """
    @cuda.jit
    def sums(x, out):
        tile = cuda.shared.array(8, {dtype})
        own = cuda.local.array(2, {dtype})
        i, t = cuda.grid(1), cuda.threadIdx.x
        if i < x.size:
            own[0] = own[1] = x[i]
            tile[t] = x[i]
        cuda.syncthreads()
        {body}
    sums[2, 8](np.ones(12, np.{dtype}), np.zeros(16))
    """
WITHOUT_HARM = {
    "threads past the end store nothing": "s = own[0] + own[1]\n        if i < x.size:\n            out[i] = s",
    "nobody asks for the sum": "s = tile[7 - t]\n        s += 1",
    "a side that is not taken": "s = tile[7 - t] if i < 8 else own[0]\n        if i < 12:\n            out[i] = s",
}
HARMFUL = {
    "stored": "out[i] = own[0]",
    "stored of another thread": "out[i] = tile[7 - t]",
    "asked for": "if tile[7 - t] == 0:\n            out[i] = 1",
    "an index": "out[int32(tile[7 - t]) % 16] = 1",
}


@pytest.mark.parametrize("dtype", ["float32", "int32"])
@pytest.mark.parametrize("body", WITHOUT_HARM.values(), ids=WITHOUT_HARM)
def test_what_no_result_depends_on_is_a_note(body, dtype):
    reports = told(KERNEL.format(dtype=dtype, body=body), "uninitialised_read")
    assert reports and all(one.note and "does no harm" in one.finding.message for one in reports)


@pytest.mark.parametrize("dtype", ["float32", "int32"])
@pytest.mark.parametrize("body", HARMFUL.values(), ids=HARMFUL)
def test_what_a_result_depends_on_is_a_mistake(body, dtype):
    reports = told(KERNEL.format(dtype=dtype, body=body), "uninitialised_read")
    assert reports and not any(one.note for one in reports)


def test_a_kernel_that_prints_is_not_run_again(capsys):
    reports = told(KERNEL.format(dtype="float32", body="s = own[0]\n        print(s)"), "uninitialised_read")
    assert reports and not any(one.note for one in reports)
    assert 16 == len(capsys.readouterr().out.splitlines())
