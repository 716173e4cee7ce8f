"""ResNet-50 on the course's own kernels, as tactics of minitrt, on this GPU: unit 19's last table.

    python benchmarks/bench_capstone.py                    writes results/capstone.json and capstone_trained.json
    python benchmarks/bench_capstone.py --output DIR --only INT8:128,INT8:1

Each engine is built twice: with the engine's own kernels, and with the course's alone wherever they can run a layer.
torch.compile runs the same network in FP16, channels last, compiled in a process of its own and timed in the same run.
Weights are drawn, so no class means anything: what is compared is whether an engine names the same class of 1,000 as
the engine in FP32 does, for a batch of drawn inputs.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from autograder.backend import gpu_available, prepare
from benchmarks.record import RESULTS, device_name, record

NETWORK, SEED = "resnet50", 1
PRECISIONS, BATCHES = ("FP32", "FP16", "INT8"), (128, 1)
COLUMNS = ("kernels", "type", "batch", "us", "images/s", "layers on the course's kernels", "same class as FP32")
KERNELS = ("kernel", "layers", "us", "share")
OWN, ENGINE, TORCH = "the course's", "the engine's", "torch.compile's"
LONG_US, RUNS = 4e5, 30  # of all runs of one measurement
MOST_NAMES = 2  # of kernels that a row has room for


class Capstone:
    """What one run measures. found: rows as the table has them; cache: of times and machine code, for later builds."""

    def __init__(self, out: Path) -> None:
        self.out, self.began, self.cache = out, time.perf_counter(), b""
        self.rows: list[list[str]] = []
        self.kept: list[dict[str, Any]] = []
        self.classes: dict[int, np.ndarray] = {}  # batch -> what FP32 says

    def say(self, text: str) -> None:
        print(f"[{time.perf_counter() - self.began:5.1f} s] {text}", flush=True)

    def model(self, precision: str, batch: int) -> Any:
        """The network as ONNX."""
        from benchmarks.engine.engines import halved
        from benchmarks.models.networks import NETWORKS

        model = NETWORKS[NETWORK](int8=precision == "INT8", batch=batch, seed=SEED)
        return halved(model) if precision == "FP16" else model

    def built(self, model: Any, precision: str, own: bool) -> Any:
        """An engine, with the course's kernels alone where they can run a layer, or without them."""
        from benchmarks.engine.engines import build
        from minitrt import tactics

        with tactics.using(*(tactics_of(precision) if own else ()), only=True):
            made = build(model, self.cache)
        self.cache = made.cache
        return made

    def measured(self, precision: str, batch: int, own: bool, made: Any) -> None:
        """One row: times, and the classes of a batch."""
        from benchmarks.engine.engines import Runner
        from benchmarks.engine.layers import table

        shape = tuple(made.engine.get_tensor_shape(made.engine.get_tensor_name(0)))
        array = np.random.default_rng(3).standard_normal(shape).astype(np.float32)
        runner = Runner(made, {made.engine.get_tensor_name(0): array})
        classes = runner.output(made.engine.get_tensor_name(1)).reshape(batch, -1).argmax(-1)
        if precision == "FP32" and not own:
            self.classes[batch] = classes
        once = runner.time_us(1)
        us = runner.time_us(max(1, min(RUNS, int(LONG_US / once))))
        layers = [layer | {"tactic": layer["tactic"].partition("@")} for layer in table(made.engine, made.cache)]
        mine = [layer["tactic"][0] for layer in layers if layer["tactic"][1]]
        layers = [layer | {"tactic": layer["tactic"][0]} for layer in layers]
        self.kept.append(
            {
                "kernels": OWN if own else ENGINE,
                "type": precision,
                "batch": batch,
                "us": round(us, 1),
                "course": len(mine),
                "named": sorted(set(mine)),
                "classes": classes.tolist(),
                "layers": layers,
            }
        )
        self.say(f"{precision} {batch} {OWN if own else ENGINE}: {us:.1f} us, {len(mine)} of {len(layers)}")

    def save(self, torch: dict[str, float]) -> None:
        """Write what is there so far."""
        rows = [row_of(one, self.classes) for one in self.kept]
        rows += [
            [TORCH, "FP16", key.split(":")[1], *speed(us, int(key.split(":")[1])), "", ""] for key, us in torch.items()
        ]
        rows.sort(key=lambda row: (-int(row[2]), PRECISIONS.index(row[1]), row[0]))
        measured = [{k: v for k, v in one.items() if k != "classes"} for one in self.kept]
        document = {
            "device": device_name(),
            "parts": {"measured": {"columns": COLUMNS, "rows": rows}},
            "runs": measured,
        }
        record("capstone", document, self.out)
        for row in (COLUMNS, *rows):
            print(*row, sep="   ")


def by_kernel(layers: Sequence[dict[str, Any]]) -> list[list[str]]:
    """What the layers of each kernel take together, alone and with a cold cache; the longest first."""
    took: dict[str, list[float]] = {}
    for layer in layers:
        took.setdefault(layer["tactic"], []).append(layer["time_us"] or 0.0)
    whole = sum(map(sum, took.values()))
    ordered = sorted(took.items(), key=lambda pair: -sum(pair[1]))
    return [[name, str(len(us)), f"{sum(us):,.0f}", f"{sum(us) / whole:.0%}"] for name, us in ordered]


def tactics_of(precision: str) -> Sequence[Any]:
    """The course's kernels for a type."""
    from benchmarks.capstone import floats, splits

    own = {
        "INT8": splits.tactics,
        "FP16": lambda: [floats.Product(), floats.Taps()],
        "FP32": lambda: [floats.Implicit()],
    }
    return own[precision]()


def speed(us: float, batch: int) -> tuple[str, str]:
    """Microseconds and images per second, as the table has them."""
    return f"{us:,.0f}", f"{1e6 * batch / us:,.0f}"


def row_of(one: dict[str, Any], classes: dict[int, np.ndarray]) -> list[str]:
    """A row of the table."""
    alike = np.mean(np.array(one["classes"]) == classes[one["batch"]]) if one["batch"] in classes else None
    layers = f"{one['course']} of {len(one['layers'])}" if one["kernels"] == OWN else "0"
    if one["course"] and len(one["named"]) <= MOST_NAMES:
        layers += f": {', '.join(one['named'])}"  # in FP32 and FP16 one kernel does what the course can do
    times = speed(one["us"], one["batch"])
    return [one["kernels"], one["type"], str(one["batch"]), *times, layers, "" if alike is None else f"{alike:.1%}"]


def main() -> int:
    """Measure, record and print. Returns 2 without a GPU, 1 where something could not be measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, default=RESULTS, help="the folder for capstone.json")
    stages = [f"{precision}:{batch}" for batch in BATCHES for precision in PRECISIONS]
    parser.add_argument("--only", default=",".join(stages), help="TYPE:BATCH, with commas between")
    options = parser.parse_args()
    if not gpu_available():
        print("bench_capstone needs an NVIDIA GPU: there is nothing to measure here.", file=sys.stderr)
        return 2
    prepare()
    from benchmarks.capstone import trained
    from benchmarks.engine.__main__ import beside

    asked = [(one.split(":")[0], int(one.split(":")[1])) for one in options.only.split(",")]
    torch = beside([f"{NETWORK}:FP16:{batch}" for batch in dict.fromkeys(batch for _, batch in asked)])
    run, made, failed = Capstone(options.output), [], 0
    for precision, batch in asked:
        try:
            model = run.model(precision, batch)
            for own in (True, False):
                made.append((precision, batch, own, run.built(model, precision, own)))
                run.say(f"{precision} {batch} {OWN if own else ENGINE}: built in {made[-1][3].build_s:.1f} s")
        except Exception:
            failed += 1
            traceback.print_exc()
    times = times_of(torch)  # what follows has the GPU to itself
    for one in sorted(made, key=lambda one: one[0] != "FP32"):  # FP32 says what the classes are
        try:
            run.measured(*one)
        except Exception:
            failed += 1
            traceback.print_exc()
        run.save(times)
    trained.record_rows(options.output, on_gpu=True)
    return int(failed > 0)


def times_of(torch: Any) -> dict[str, float]:
    """What torch takes, from its process: it compiles while engines are built, and is timed when they are done. Nothing
    where it failed, as its own error says."""
    if not torch.stdout.readline():
        return {}
    torch.stdin.write("\n")
    torch.stdin.flush()
    return json.loads(torch.stdout.readline() or "{}")


if __name__ == "__main__":
    sys.exit(main())
