"""Every way to numba's CUDA driver has an answer, or one sentence that says why not; in a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba.cuda.cudadrv.driver", reason="needs numba-cuda")
ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import inspect, json, warnings
DRIVER_ONLY = {"memalloc", "memallocmanaged", "memhostalloc", "mempin", "get_ipc_handle", "open_ipc_handle",
               "enable_peer_access", "create_module_ptx", "create_module_image", "unload_module",
               "create_external_stream", "get_active_blocks_per_multiprocessor", "get_max_potential_block_size",
               "from_identity"}
warnings.simplefilter("ignore")
from autograder import backend
backend.force_interpreter()
import numpy as np
from numba import cuda
from numba.cuda import api
from numba.cuda.cudadrv import devicearray, devices, driver

@cuda.jit("void(float32[:])")
def kernel(x):
    x[cuda.grid(1)] += 1

d = cuda.to_device(np.zeros(8, np.float32))
kernel[1, 8](d)
given = {"ary": np.zeros(4), "shape": 4, "obj": np.zeros(4), "device_id": 0, "ptr": 0, "evtstart": cuda.event(),
         "evtend": cuda.event(), "desc": d.__cuda_array_interface__, "handle": None, "dtype": np.float32}
told = {}
for module in (cuda, api, devices, devicearray):
    for name, function in vars(module).items():
        if name.startswith("_") or not inspect.isfunction(function) or name.startswith(("compile", "declare", "jit")):
            continue
        if name in ("reduce", "vectorize", "guvectorize", "literal_unroll", "alias", "cuda_error", "detect"):
            continue
        needed = [one.name for one in inspect.signature(function).parameters.values()
                  if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD]
        if not all(one in given for one in needed):
            continue
        for arrays in ({}, {"ary": d, "obj": d}):  # what takes no host array takes a device array
            try:
                function(*({**given, **arrays}[one] for one in needed))
            except Exception as error:
                told[f"{module.__name__}.{name}"] = f"{type(error).__name__}: {error}"
            else:
                told.pop(f"{module.__name__}.{name}", None)
                break
asked = {
    "driver": lambda: driver.driver.cuMemGetInfo(),
    "version": lambda: driver.driver.get_version(),
    "sass": lambda: kernel.inspect_sass(),
    "to_host": lambda: d.to_host(),
    "gpu_data": lambda: d.gpu_data,
    "ipc": lambda: d.get_ipc_handle(),
    "attribute": lambda: cuda.get_current_device().NO_SUCH_THING,
    "context": lambda: cuda.current_context().memalloc(8),
    "called": lambda: kernel(d),
}
for theirs, ours in ((driver.Context, cuda.current_context()), (driver.Device, cuda.get_current_device())):
    for name, method in vars(theirs).items():
        if not name.startswith("_") and not hasattr(ours, name) and name not in DRIVER_ONLY:
            told[f"{theirs.__name__}.{name}"] = "missing"
for name, ask in asked.items():
    try:
        told[name] = f"answered {ask()!r}"
    except Exception as error:
        told[name] = f"{type(error).__name__}: {error}"
answers = {
    "is_available": cuda.is_available(),
    "free": devices.get_context().get_memory_info().free > 0,
    "gpus": len(cuda.gpus), "of devices": len(devices.gpus), "current": cuda.gpus.current.id,
    "array": isinstance(d, devicearray.DeviceNDArray), "again": cuda.as_cuda_array(d) is d,
    "capability": cuda.get_current_device().COMPUTE_CAPABILITY_MAJOR, "made": driver.Device(devnum=0).id,
    "blocks": kernel.overloads[("anything",)].max_cooperative_grid_blocks((16, 16)),
    "signatures": [str(types[0].dtype) for types in kernel.signatures],
    "sum": float(cuda.reduce(lambda a, b: a + b)(np.ones(10))),
}
print(json.dumps([told, answers]))
"""


@pytest.fixture(scope="module")
def asked():
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(
        command, capture_output=True, text=True, env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    )
    assert 0 == done.returncode, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


SENTENCES = {
    "driver": "cuMemGetInfo asks the CUDA driver, and there is none here",
    "version": "get_version asks the CUDA driver",
    "sass": "kernel was not compiled: it runs in the interpreter",
    "to_host": "numba calls it copy_to_host()",
    "gpu_data": "there is no memory of a GPU to point to",
    "ipc": "memory is shared between processes on a GPU only",
    "attribute": "has no NO_SUCH_THING. It has ",
    "context": "has no memalloc: there is no driver",
    "called": "kernel is a kernel, and this call says neither how many blocks",
    "numba.cuda.open_ipc_array": "memory is shared between processes on a GPU only",
    "numba.cuda.api.open_ipc_array": "memory is shared between processes on a GPU only",
}


def test_what_has_no_answer_is_said_in_one_sentence(asked):
    told = asked[0]
    assert SENTENCES.keys() >= {name for name in told}, told
    for name, sentence in SENTENCES.items():
        assert sentence in told[name]


def test_what_has_an_answer_is_answered(asked):
    assert {
        "is_available": True, "free": True, "gpus": 1, "of devices": 1, "current": 0, "array": True, "again": True,
        "capability": 7, "made": 0, "signatures": ["float32"], "blocks": 4, "sum": 10.0,
    } == asked[1]  # fmt: skip
