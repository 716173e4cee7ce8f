"""A plugin of pytest for a browser's Python: what cannot be there is skipped, and counted, with its reason.

The stand-in for numba runs kernels, so tests that only write kernels run; those that compare with numba do not.
"""

from __future__ import annotations

import subprocess

import pytest

from simt import cuda_api
from simt.cuda_api import stand_in

NO_PROCESSES = "a browser starts no processes"
real_importorskip = pytest.importorskip


def importorskip(name: str, *args, **options):
    """pytest's own, for which the stand-in is not numba."""
    module = real_importorskip(name, *args, **options)
    if cuda_api.is_stand_in(module):
        pytest.skip(f"{name} is a stand-in here, and this test asks numba itself", allow_module_level=True)
    return module


def no_compiler(asked, *args, **options):
    """In place of the error of what a stand-in cannot compile."""
    pytest.skip(f"{asked.__name__} is numba's, and not installed here")


class NoProcess:
    """In place of subprocess.Popen. Libraries that only wonder about the machine take the error for an answer."""

    def __init__(self, *args, **options):
        raise OSError(NO_PROCESSES)


@pytest.hookimpl(wrapper=True)
def skipping(item):
    """Runs a part of a test; where it needed a process, the test is skipped."""
    try:
        return (yield)
    except OSError as error:
        if str(error) == NO_PROCESSES:
            pytest.skip(NO_PROCESSES)
        raise


pytest_runtest_setup = pytest_runtest_call = skipping


def pytest_configure() -> None:
    """Before any test module is read."""
    cuda_api.install()
    pytest.importorskip = importorskip
    subprocess.Popen = NoProcess
    stand_in.NoCompiler.__call__ = no_compiler
