"""Polygraphy, NVIDIA's tool around TensorRT, runs unchanged on minitrt under the name `tensorrt`.

Each program runs in a process of its own, since the shim takes the name; without a GPU, memory is the host's.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import onnx
import pytest

import minitrt.shim
from benchmarks.models.networks import resnet
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.release  # each test starts polygraphy

pytest.importorskip("polygraphy", reason="Polygraphy is not installed")
ROOT = Path(__file__).parents[3]
TOOL = "import sys; from polygraphy.tools import main; sys.argv[0] = 'polygraphy'; sys.exit(main())"


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("polygraphy") / "net.onnx"
    onnx.save(resnet("resnet18", size=32, width=8, classes=10, batch=2), path)
    return path


def ran(program: str, *arguments: str) -> subprocess.CompletedProcess:
    found = os.pathsep.join([minitrt.shim.FOLDER, str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": found, "MINITRT_BACKEND": "reference", "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, env=environment)


def test_polygraphy_run_compares_every_layer_with_onnx_runtime(model):
    flags = ["--trt", "--onnxrt", "--trt-outputs", "mark", "all", "--onnx-outputs", "mark", "all", "--atol", "1e-3"]
    done = ran(TOOL, "run", str(model), *flags)

    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "Pass Rate: 100.00%" in done.stdout


def test_polygraphy_convert_and_inspect_write_and_read_an_engine(model, tmp_path):
    engine = tmp_path / "net.engine"
    converted = ran(TOOL, "convert", str(model), "--convert-to", "trt", "-o", str(engine))
    inspected = ran(TOOL, "inspect", "model", str(engine), "--display-as", "trt", "--show", "layers", "attrs")

    assert (converted.returncode, inspected.returncode) == (0, 0), (
        converted.stdout + inspected.stdout + inspected.stderr
    )
    assert "conv1 + conv1.bn + relu" in inspected.stdout


CALIBRATE = """
import sys
import numpy as np
from polygraphy.backend.trt import Calibrator, CreateConfig, EngineFromNetwork, NetworkFromOnnxPath, TrtRunner

def batches():
    rng = np.random.default_rng(0)
    for _ in range(2):
        yield {"input": rng.standard_normal((2, 3, 32, 32)).astype(np.float32)}

calibrator = Calibrator(data_loader=batches(), cache=sys.argv[2])
build = EngineFromNetwork(NetworkFromOnnxPath(sys.argv[1]), CreateConfig(int8=True, calibrator=calibrator))
with TrtRunner(build) as runner:
    print("shape", runner.infer({"input": np.zeros((2, 3, 32, 32), np.float32)})["fc_output"].shape)
"""


def test_polygraphys_calibrator_writes_the_cache_and_the_engine_runs_in_int8(model, tmp_path):
    cache = tmp_path / "calibration.cache"
    done = ran(CALIBRATE, str(model), str(cache))

    assert "shape (2, 10)" in done.stdout, done.stdout + done.stderr
    assert cache.read_text().startswith("TRT-101600-EntropyCalibration2\ninput: ")
