"""What a notebook that uses the autograder finds changed: warnings go where learners read."""

import sys
import types
import warnings

import numpy as np
import pytest

from autograder import backend
from simt.cuda_api import cuda


@pytest.mark.parametrize("where", ["numba.core.errors", "numba.cuda.core.errors"])
def test_performance_warnings_go_to_stdout_without_paths_or_colours(where, capsys):
    errors = pytest.importorskip(where)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        backend.say_warnings_on_stdout()
        warnings.warn(errors.NumbaPerformanceWarning("\x1b[1mHost array used\x1b[0m"), stacklevel=1)

    captured = capsys.readouterr()
    assert "Performance: " in captured.out
    assert "Host array used" in captured.out
    assert "\x1b" not in captured.out
    assert "" == captured.err


def test_other_warnings_stay_where_they_were(capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        backend.say_warnings_on_stdout()
        warnings.warn("something else", UserWarning, stacklevel=1)

    assert "" == capsys.readouterr().out


def test_the_successor_of_numba_cuda_launches_in_the_interpreter_where_it_is_in_use(monkeypatch):
    class Dispatcher:
        def __init__(self, function):
            self.py_func, self.targetoptions = function, {"device": False}

        def __getitem__(self, configuration):
            raise RuntimeError("this needs a GPU")

    mlir, descriptor = types.ModuleType("numba_cuda_mlir.cuda"), types.ModuleType("numba_cuda_mlir.descriptor")
    mlir.jit, mlir.to_device, mlir.is_available = lambda function=None: Dispatcher(function), None, lambda: False
    mlir.random = types.SimpleNamespace()
    descriptor.MLIRDispatcher = Dispatcher
    package = types.ModuleType("numba_cuda_mlir")
    package.cuda, package.descriptor = mlir, descriptor
    for module in (package, mlir, descriptor):
        monkeypatch.setitem(sys.modules, module.__name__, module)

    @mlir.jit
    def double(src, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = 2 * src[i]

    backend.install_stand_in()
    src = mlir.to_device(np.arange(4.0))
    out = mlir.device_array_like(src)
    double[1, 4](src, out)
    double.forall(4)(out, out)
    assert [0, 4, 8, 12] == out.copy_to_host().tolist()
    assert mlir.random.create_xoroshiro128p_states(2, seed=1).shape == (2,)
