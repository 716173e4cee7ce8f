"""An attribute of a program's own object is refused as numba refuses it, unless the program taught numba its class."""

from importlib.util import find_spec

import numpy as np
import pytest

from simt.cuda_api import cuda
from simt.errors import UnsupportedError


class Settings:
    width = 3


class Taught:
    width = 3


SETTINGS, TAUGHT = Settings(), Taught()


@cuda.jit
def plain(out):
    out[0] = SETTINGS.width


@cuda.jit
def taught(out):
    out[0] = TAUGHT.width


def refusal(kernel) -> UnsupportedError:
    with pytest.raises(UnsupportedError, match="Make it a constant of the module") as told:
        kernel[1, 1](np.zeros(1))
    return told.value


def test_an_object_is_refused_for_a_reason():
    assert "host_object" == refusal(plain).reason


@pytest.mark.skipif(find_spec("numba") is None, reason="needs numba, which can be taught")
def test_one_that_numba_was_taught_is_not_accused():
    from numba.core.typing.typeof import typeof_impl

    typeof_impl.register(Taught)(lambda value, context: None)
    assert "" == refusal(taught).reason and "as the program taught numba" in str(refusal(taught))
