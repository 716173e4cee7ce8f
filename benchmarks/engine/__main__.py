"""Measure minitrt's engines on this GPU and record them: python -m benchmarks.engine [--seconds 60] [--cache FOLDER]

ResNet-50 in INT8 at batch 128 (sustained) and 1, in FP16 at 128, MobileNetV2 in INT8; per layer the share of its limit;
numerics against the NumPy reference and ONNX Runtime; torch.compile in FP16 and cuBLAS in the same run.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.engine import layers, numerics, products
from benchmarks.engine.engines import Built, Runner, build, halved
from benchmarks.models.networks import NETWORKS
from benchmarks.record import RESULTS, record
from minitrt.device.driver import device_facts
from minitrt.tactics.timing_cache import TimingCache, header_of
from minitrt.tactics.tuner import Tuner

SEED = 1
NETWORK_NAMES = ("resnet50", "mobilenet_v2")


class Measurement:
    """What one run of this script measures, section by section. folder: of timing caches; out: of results."""

    def __init__(self, folder: Path | None, out: Path) -> None:
        self.folder, self.out, self.began, self.found = folder, out, time.perf_counter(), {}
        self.device = device_facts()

    def save(self) -> None:
        """Write what is there so far."""
        found = {"device": self.device.name, **self.found}
        record(f"engine-{self.device.name.lower().replace(' ', '-')}", found, self.out)

    def say(self, text: str) -> None:
        print(f"[{time.perf_counter() - self.began:5.1f} s] {text}", flush=True)

    def built(self, name: str, model: Any) -> Built:
        """An engine, from the timing cache of an earlier run where there is one."""
        file = self.folder / f"{name.replace(' ', '-')}.json" if self.folder else None
        cache = file.read_bytes() if file and file.exists() else b""
        built = build(model, cache)
        if file:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(built.cache)
        self.say(f"{name}: built in {built.build_s:.1f} s, timing cache: {bool(cache)}")
        self.found[name] = {
            "build_s": round(built.build_s, 2),
            "timing_cache": bool(cache),
            "plan_mb": round(built.plan_bytes / 1e6, 1),
            "start_s": round(built.start_s, 3),
        }
        return built

    def timed(self, name: str, built: Built, batch: int, seconds: float = 0.0) -> Runner:
        """Fill in the times of an engine of images."""
        array = np.random.default_rng(3).standard_normal((batch, 3, 224, 224)).astype(np.float32)
        runner = Runner(built, {built.engine.get_tensor_name(0): array})
        row = self.found[name]
        row |= {"first_run_s": round(runner.first_run_s, 3), **runner.short()}
        row["images_per_s"] = round(1e6 * batch / row["burst_us"])
        if seconds:
            row["sustained"] = runner.sustained(seconds)
            row["sustained"]["images_per_s"] = round(1e6 * batch / row["sustained"]["mean_us"])
        self.say(f"{name}: {json.dumps(row)}")
        row["layers"] = layers.table(built.engine, built.cache)
        row["sum_of_layers_us"] = round(sum(each["time_us"] or 0 for each in row["layers"]), 1)
        row["sum_of_floors_us"] = round(sum(each["floor_us"] for each in row["layers"]), 1)
        self.save()
        return runner

    def numbers(self, name: str, built: Built, runner: Runner, model: Any) -> None:
        """Each layer and the whole against the reference; distances to ONNX Runtime, and between its own two ways."""
        source, target = (built.engine.get_tensor_name(i) for i in range(2))
        array = runner.tensors[source][1]
        wrong, reference = numerics.layer_by_layer(built.engine, {source: array})
        plain, optimised = (numerics.onnx_runtime(model, array, way) for way in (False, True))
        output = runner.output(target)
        self.found[name]["numerics"] = {
            "layers": len(built.engine._plan.profiles[0].choices),
            "layers_that_differ_from_the_reference": wrong,
            "engine_to_reference": numerics.distance(output, reference[target]),
            "engine_to_onnx_runtime": numerics.distance(output, plain),
            "onnx_runtime_optimised_to_plain": numerics.distance(optimised, plain),
            "same_class_as_onnx_runtime": bool((output.argmax(-1) == plain.argmax(-1)).all()),
        }
        self.say(f"{name}: {json.dumps(self.found[name]['numerics'])}")


def beside(names: list[str]) -> subprocess.Popen:
    """torch, compiling in a process of its own."""
    asked = [f"{name}:{batch}" for name in names for batch in ((128, 1) if name == "resnet50" else (128,))]
    command = [sys.executable, "-m", "benchmarks.engine.torch_side", *asked]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(os.environ))


def models_of(names: list[str]) -> dict[str, Any]:
    """What is built: name, precision and batch -> model."""
    write = {name: partial(NETWORKS[name], size=224, seed=SEED) for name in names}
    found = {}
    if "resnet50" in names:
        found = {f"resnet50 INT8 {batch}": write["resnet50"](int8=True, batch=batch) for batch in (128, 1)}
        found["resnet50 FP16 128"] = halved(write["resnet50"](int8=False, batch=128))
    others = {f"{name} INT8 128": write[name](int8=True, batch=128) for name in names if name != "resnet50"}
    return found | others


def main() -> None:
    """Measure everything, print a line a section, and write results/engine-<device>.json as it grows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*", default=list(NETWORK_NAMES))
    parser.add_argument("--seconds", type=float, default=60.0, help="of back-to-back batches of 128")
    parser.add_argument("--cache", type=Path, help="folder of timing caches to read and write")
    parser.add_argument("--out", type=Path, default=RESULTS)
    asked = parser.parse_args()
    torch, run, models = beside(asked.networks), Measurement(asked.cache, asked.out), models_of(asked.networks)
    engines = {name: run.built(name, model) for name, model in models.items()}
    torch.stdout.readline()  # it compiled meanwhile, and is quiet now
    run.say("torch is ready")
    for name, built in engines.items():
        runner = run.timed(name, built, int(name.split()[-1]), asked.seconds if name == "resnet50 INT8 128" else 0.0)
        if name == "resnet50 INT8 1":
            run.numbers(name, built, runner, models[name])
    torch.stdin.write("\n")
    torch.stdin.flush()
    run.found["torch.compile FP16, us"] = json.loads(torch.stdout.readline())
    run.say(f"torch.compile FP16: {run.found['torch.compile FP16, us']}")
    run.found["products"] = products.measured(Tuner(run.device, TimingCache(header_of(run.device))))
    run.say("\n".join(str(row) for row in run.found["products"]))
    run.save()


if __name__ == "__main__":
    main()
