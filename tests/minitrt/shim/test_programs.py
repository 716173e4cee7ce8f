"""`python -m minitrt.shim program.py`: programs for TensorRT and cuda-python, unchanged, also where there is no GPU."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PROGRAM = """
import sys

import numpy as np
import tensorrt as trt
from cuda.bindings import runtime as cudart
from tensorrt.tensorrt import DataType

builder = trt.Builder(trt.Logger())
network = builder.create_network(0)
x = network.add_input("x", DataType.FLOAT, (4,))
out = network.add_activation(x, trt.ActivationType.RELU).get_output(0)
out.name = "y"
network.mark_output(out)
data = builder.build_serialized_network(network, builder.create_builder_config())
context = trt.Runtime(trt.Logger()).deserialize_cuda_engine(data).create_execution_context()
source, target = np.array([-1, 2, -3, 4], np.float32), np.zeros(4, np.float32)
stream = cudart.cudaStreamCreate()[1]
places = [cudart.cudaMalloc(source.nbytes)[1] for _ in "xy"]
kinds = cudart.cudaMemcpyKind
cudart.cudaMemcpyAsync(places[0], source.ctypes.data, source.nbytes, kinds.cudaMemcpyHostToDevice, stream)
for name, place in zip("xy", places):
    context.set_tensor_address(name, place)
context.execute_async_v3(stream)
cudart.cudaMemcpyAsync(target, places[1], source.nbytes, kinds.cudaMemcpyDeviceToHost, stream)
cudart.cudaStreamSynchronize(stream)
print(sys.argv[1:], __name__, target.tolist())
"""


def run(*words: str) -> subprocess.CompletedProcess:
    environment = {**os.environ, "MINITRT_BACKEND": "reference", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "minitrt.shim", *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def test_a_program_runs_with_its_arguments_and_memory_of_the_host(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    done = run(str(tmp_path / "program.py"), "--flag", "1")

    assert "['--flag', '1'] __main__ [0.0, 2.0, 0.0, 4.0]\n" == done.stdout, done.stderr


def test_a_program_chooses_a_version_and_hears_what_stands_in_place_of_the_decorators_for_plugins(tmp_path):
    program = "import tensorrt as trt\ntrt.api = '11'\nprint(trt.__version__, trt.api)\nimport tensorrt.plugin"
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    done = run(str(tmp_path / "program.py"))

    assert done.stdout.startswith("11."), done.stderr
    assert "ImportError: minitrt has no tensorrt.plugin: derive a class from IPluginV3" in done.stderr


def test_a_program_that_is_not_there_is_a_sentence():
    done = run("nowhere.py")

    assert 2 == done.returncode and "There is no file nowhere.py" in done.stderr and "Traceback" not in done.stderr


def test_what_the_stand_in_has_not_is_asked_of_the_real_bindings(tmp_path):
    """numba-cuda asks them for their version when it is first imported, as an engine that compiles kernels does."""
    pytest.importorskip("cuda.bindings.runtime")
    program = tmp_path / "program.py"
    program.write_text("from cuda.bindings import runtime\nimport numba.cuda\nprint(runtime.cudaMalloc(4)[0].value)\n")
    command = [sys.executable, "-m", "minitrt.shim", str(program)]

    done = subprocess.run(command, capture_output=True, text=True)

    assert (0, "0") == (done.returncode, done.stdout.strip()), done.stderr
