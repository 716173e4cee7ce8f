"""A launch without its two numbers says what to write."""

import pytest

from simt import cuda_api
from simt.cuda_api import cuda
from simt.cuda_api.dispatcher import not_launched
from simt.errors import InvalidLaunchError, NotLaunchedError


@cuda.jit
def double(src, dst):
    dst[0] = 2 * src[0]


def test_a_launch_of_one_number_and_a_call_without_arguments_say_what_to_write():
    with pytest.raises(InvalidLaunchError, match=r"and double\[32\] has one. Write double\[blocks, threads\]"):
        cuda_api.configure(double, 32)
    with pytest.raises(NotLaunchedError, match=r"Launch it with double\[blocks, threads\].* its name alone: double\."):
        not_launched(double)
