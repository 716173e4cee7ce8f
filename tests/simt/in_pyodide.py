"""A plugin of pytest for a browser's Python: what cannot be there is skipped, and counted, with its reason.

The stand-in for numba runs kernels, so tests that only write kernels run; those that compare with numba do not.
"""

from __future__ import annotations

import subprocess

import pytest

from simt import cuda_api

real_importorskip = pytest.importorskip


def importorskip(name: str, *args, **options):
    """pytest's own, for which the stand-in is not numba."""
    module = real_importorskip(name, *args, **options)
    if cuda_api.is_stand_in(module):
        pytest.skip(f"{name} is a stand-in here, and this test asks numba itself", allow_module_level=True)
    return module


class NoProcess:
    """In place of subprocess.Popen."""

    def __init__(self, *args, **options):
        pytest.skip("a browser starts no processes")


def pytest_configure() -> None:
    """Before any test module is read."""
    cuda_api.install()
    pytest.importorskip = importorskip
    subprocess.Popen = NoProcess
