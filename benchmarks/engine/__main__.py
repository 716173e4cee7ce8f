"""Measure minitrt's engines on this GPU and record them: python -m benchmarks.engine [STAGE ...] [--cache FOLDER]

A stage is an engine, as in "bert_base:INT8:32" (network, precision, batch), "products", "curve" (ResNet-50 in INT8 at
batches 1 to 512), "curve:64" (one of them), or "pool" (its batches of 128 over all GPUs). What is measured joins what
the results hold of other stages; torch.compile in FP16 of the same network and batch, and cuBLAS, run in the same
process tree. With --check layers are compared with the NumPy reference.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.engine import layers, numerics, pool, products
from benchmarks.engine.engines import BuildFailed, Built, Runner, build, halved, same_numerics, without_kept_code
from benchmarks.models.networks import NETWORKS
from benchmarks.record import RESULTS, record
from minitrt.device.driver import device_facts
from minitrt.tactics.timing_cache import TimingCache, header_of
from minitrt.tactics.tuner import Tuner

SEED = 1
TRANSFORMERS = ("vit_small", "bert_base")
ENGINES = tuple(
    f"{name}:{precision}:{batch}"
    for name in NETWORKS
    for precision in ("INT8", "FP16")
    for batch in ((1, 32) if name in TRANSFORMERS else (1, 128))
)
STAGES = (*ENGINES, "products", "curve", "pool")
CURVE = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
CURVE_OF = "resnet50 INT8"
SUSTAINED = f"{CURVE_OF} 128"
IMAGE = (3, 224, 224)


class Measurement:
    """What one run of this script measures, section by section. folder: of timing caches; out: of results."""

    def __init__(self, folder: Path | None, out: Path) -> None:
        self.folder, self.out, self.began = folder, out, time.perf_counter()
        self.device = device_facts()
        self.name = f"engine-{self.device.name.lower().replace(' ', '-')}"
        self.found: dict[str, Any] = {TORCH: {}} | self.earlier()
        self.torch: dict[str, float] = {}  # what torch took in this run, as "network:batch"

    def earlier(self) -> dict[str, Any]:
        """What the results hold of other runs."""
        file = self.out / f"{self.name}.json"
        kept = json.loads(file.read_text()) if file.exists() else {}
        return {key: value for key, value in kept.items() if key not in ("machine", "date", "versions")}

    def save(self) -> None:
        """Write what is there so far."""
        record(self.name, self.found | {"device": self.device.name}, self.out)

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
        self.found[name] = same_numerics(self.found.get(name, {}), built) | {
            "build_s": round(built.build_s, 2),
            "timing_cache": bool(cache),
            "plan_mb": round(built.plan_bytes / 1e6, 1),
            "start_s": round(built.start_s, 3),
            "pairs": built.pairs,
        }
        if name == SUSTAINED:  # what a build takes once its kernels are timed, and once their machine code is on disk
            self.found[name]["again_s"] = round(build(model, built.cache).build_s, 2)
            with without_kept_code():
                self.found[name]["timed_before_s"] = round(build(model, built.cache).build_s, 2)
        return built

    def timed(self, name: str, built: Built, seconds: float = 0.0) -> Runner:
        """Fill in the times of an engine, on random input."""
        source = built.engine.get_tensor_name(0)
        shape = tuple(built.engine.get_tensor_shape(source))
        batch, array = shape[0], np.random.default_rng(3).standard_normal(shape).astype(np.float32)
        runner = Runner(built, {source: array})
        row = self.found[name]
        row |= {"first_run_s": round(runner.first_run_s, 3), **runner.short()}
        row["images_per_s"] = round(1e6 * batch / row["burst_us"])
        network = name.split()[0]
        if f"{network}:{batch}" in self.torch:
            row["torch_us"] = self.torch[f"{network}:{batch}"]
        if name == f"{CURVE_OF} {batch}":
            self.found.setdefault(f"curve {CURVE_OF}", {})[str(batch)] = row["burst_us"]
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
            "of": built.made_of,
            "layers": len(built.engine._plan.profiles[0].choices),
            "layers_that_differ_from_the_reference": wrong,
            "engine_to_reference": numerics.distance(output, reference[target]),
            "engine_to_onnx_runtime": numerics.distance(output, plain),
            "onnx_runtime_optimised_to_plain": numerics.distance(optimised, plain),
            "same_class_as_onnx_runtime": bool((output.argmax(-1) == plain.argmax(-1)).all()),
        }
        self.say(f"{name}: {json.dumps(self.found[name]['numerics'])}")

    def prepared(self, stages: list[str]) -> dict[str, tuple[Any, Built]]:
        """Model and engine of each stage; one that cannot be built is named, since the others are worth having."""
        found = {}
        for stage in stages:
            try:
                model = model_of(stage)
                found[stage] = model, self.built(stage.replace(":", " "), model)
            except (BuildFailed, RuntimeError) as error:
                self.say(f"{stage}: {error}")
        return found

    def stage(self, stage: str, model: Any, built: Built, seconds: float, check: bool) -> None:
        """Time and record one engine."""
        name = stage.replace(":", " ")
        try:
            runner = self.timed(name, built, seconds if name == SUSTAINED else 0.0)
            if check:
                self.numbers(name, built, runner, model)
        except RuntimeError as error:
            self.say(f"{stage}: {error}")
        self.save()

    def curve(self, batches: Sequence[int]) -> None:
        """ResNet-50 in INT8 at these batches of the curve: microseconds a run."""
        points = self.found.setdefault(f"curve {CURVE_OF}", {})
        for batch in batches:
            built = self.built(f"{CURVE_OF} {batch} of the curve", model_of(f"{CURVE_OF} {batch}".replace(" ", ":")))
            self.found.pop(f"{CURVE_OF} {batch} of the curve")
            source = built.engine.get_tensor_name(0)
            array = np.random.default_rng(3).standard_normal((batch, *IMAGE)).astype(np.float32)
            points[str(batch)] = Runner(built, {source: array}).short()["burst_us"]
            self.say(f"batch {batch}: {points[str(batch)]} us")
            self.save()

    def pool(self) -> None:
        """Batches of ResNet-50 from this process's arrays, over one GPU and over all."""
        network, precision, batch = SUSTAINED.split()
        model = model_of(":".join(SUSTAINED.split()))
        cache = self.built(f"{SUSTAINED} of the pool", model).cache
        self.found.pop(f"{SUSTAINED} of the pool")
        self.found[f"pool {network} {precision}"] = pool.measured(model, cache, int(batch), IMAGE)
        self.say(f"pool: {self.found[f'pool {network} {precision}']}")


TORCH = "torch.compile FP16, us"


def beside(stages: list[str]) -> subprocess.Popen | None:
    """torch, compiling in a process of its own; None where no stage asks for it."""
    asked = list(dict.fromkeys(f"{s.split(':')[0]}:{s.split(':')[2]}" for s in stages if s.count(":") == 2))
    if not asked:
        return None
    command = [sys.executable, "-m", "benchmarks.engine.torch_side", *asked]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(os.environ))


def model_of(stage: str) -> Any:
    """The ONNX model of an engine's stage."""
    network, precision, batch = stage.split(":")
    model = NETWORKS[network](int8=precision == "INT8", batch=int(batch), seed=SEED)
    return model if precision == "INT8" else halved(model)


def main() -> None:
    """Measure what is asked for, print a line a section, and write results/engine-<device>.json as it grows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stages", nargs="*", default=list(STAGES), metavar="STAGE")
    parser.add_argument("--seconds", type=float, default=60.0, help=f"of back-to-back batches of {SUSTAINED}")
    parser.add_argument("--check", action="store_true", help="compare each layer with the reference")
    parser.add_argument("--cache", type=Path, help="folder of timing caches to read and write")
    parser.add_argument("--out", type=Path, default=RESULTS)
    asked = parser.parse_args()
    engines = [stage for stage in asked.stages if stage.count(":") == 2]
    torch, run = beside(engines), Measurement(asked.cache, asked.out)
    if torch is not None:
        torch.stdout.readline()  # it has compiled, and is quiet now: kernels are chosen by their times
        run.say("torch is ready")
    built = run.prepared(engines)
    if torch is not None:
        torch.stdin.write("\n")
        torch.stdin.flush()
        run.torch = json.loads(torch.stdout.readline())
        run.found[TORCH] |= run.torch
        run.say(f"{TORCH}: {run.torch}")
    for stage, pair in built.items():
        run.stage(stage, *pair, asked.seconds, asked.check)
    if "products" in asked.stages:
        run.found["products"] = products.measured(Tuner(run.device, TimingCache(header_of(run.device))))
        run.say("\n".join(str(row) for row in run.found["products"]))
    batches = [int(stage.split(":")[1]) for stage in asked.stages if stage.startswith("curve:")]
    run.curve(CURVE if "curve" in asked.stages else batches)
    if "pool" in asked.stages:
        run.pool()
    run.save()


if __name__ == "__main__":
    main()
