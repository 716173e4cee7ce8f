"""What odd kernels of numbers come to is what numba's compiler makes of them, types and all."""

import contextlib
import warnings
from importlib.util import find_spec

import numpy as np
import pytest

from simt.cuda_api import types
from simt.errors import SimtError
from tests.simt.odd_values import ARRAYS, PlainKernel, compiled, interpreted

pytestmark = pytest.mark.skipif(find_spec("numba") is None, reason="needs numba, whose values are compared")
A_COMMIT, A_RELEASE, AT_ONCE = 16, 400, 48


def outcome(seed: int) -> str:
    """ "same", or "refused" by either. Raises: AssertionError where they differ."""
    from numba.core.errors import NumbaError

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of floats that overflow, on either side
        try:
            theirs = compiled(seed)
        except NumbaError:  # for a side that no thread takes, too, which the interpreter does not type
            with contextlib.suppress(SimtError):
                interpreted(seed, types)
            return "refused"
        try:
            ours = interpreted(seed, types)
        except SimtError as refusal:
            assert "The GPU has no" in str(refusal), refusal  # numba has more types of min and max for the CPU
            return "refused"
        for name, one, other in zip(ARRAYS, ours, theirs, strict=True):
            assert agree(one, other), f"seed {seed}, {name}: {one}, and numba has {other}\n{PlainKernel(seed).text()}"
    return "same"


def agree(ours: np.ndarray, theirs: np.ndarray) -> bool:
    """Whether they are the same, but for floats that no integer of the element's type holds: a GPU stores the nearest
    that there is, a processor anything."""
    same = np.isclose(ours.astype("f8"), theirs.astype("f8"), rtol=1e-5, equal_nan=True)
    if ours.dtype.kind in "iu":
        ends = np.iinfo(ours.dtype)
        same |= (ours == ends.min) | (ours == ends.max)
    return bool(same.all())


def test_an_odd_kernel_leaves_what_numba_makes_of_it():
    found = [outcome(seed) for seed in range(A_COMMIT)]
    assert found.count("same") > A_COMMIT / 2


@pytest.mark.release
@pytest.mark.parametrize("first", range(A_COMMIT, A_RELEASE, AT_ONCE))
def test_many_odd_kernels_leave_what_numba_makes_of_them(first):
    for seed in range(first, first + AT_ONCE):
        outcome(seed)
