"""What unit 13 is about, on this GPU: one 3 x 3 layer in five ways, beside torch's conv2d in the same process.

    python benchmarks/bench_convolution.py              writes benchmarks/results/convolution.json
    python benchmarks/bench_convolution.py --output DIR --only conv_tiled,conv_implicit

Each way is right where it equals the float64 layer of whole numbers at small and ragged sizes; then it is timed on two
layers of ResNet. The library computes in float32 without TF32, and tries its own ways first. im2col is timed with
torch's matrix product. What the roofline allows each way is in `autograder.exercises.u13_convolution.ways`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from autograder import exercises
from autograder.answer import reference
from autograder.backend import gpu_available, prepare
from autograder.exercises.u13_convolution.values import layer
from autograder.exercises.u13_convolution.ways import LAYERS, WAYS, direct_flops, title
from autograder.exercises.u13_convolution.winograd_values import G
from benchmarks.record import RESULTS, device_name, record

CHECKED = (layer(1, 1, 4, 1, 1), layer(2, 5, 8, 19, 45), layer(3, 17, 68, 9, 33))
MEASURED = ("way", "layer", "us", "TFLOP/s by direct flops", "of the library")
WRONG = 77777.0  # what outputs hold before a launch


class Bench:
    """The ways on the GPU, with torch for the data and for the library."""

    def __init__(self) -> None:
        import torch

        torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.benchmark = True  # the library tries its ways, as its users let it
        self.torch = torch

    def drawn(self, sizes: dict[str, int], largest: int) -> dict[str, Any]:
        """src, weights, their transform u, cols and dst: whole numbers, and outputs full of one that no sum has."""
        torch = self.torch
        draw = lambda *shape: torch.randint(-largest, largest + 1, shape, device="cuda").float()  # noqa: E731
        n, n_in, n_out, rows, cols = (sizes[name] for name in ("n_images", "n_in", "n_out", "n_rows", "n_cols"))
        weights = draw(n_out, n_in, 3, 3)
        transform = torch.tensor(G, device="cuda", dtype=torch.float32)
        return {
            "src": draw(n, n_in, rows, cols),
            "weights": weights,
            "u": (transform @ weights @ transform.T).contiguous(),
            "cols": torch.full((9 * n_in, n * rows * cols), WRONG, device="cuda"),
            "dst": torch.full((n, n_out, rows, cols), WRONG, device="cuda"),
        }

    def call(self, way: str, values: dict[str, Any]) -> Callable[[], Any]:
        """One call of a way on these tensors."""
        from numba import cuda

        if way == "library":
            return lambda: self.torch.nn.functional.conv2d(values["src"], values["weights"], padding=1)
        exercise = exercises.find(f"convolution.{way}")
        kernel = reference.solved(exercise).load()[1]
        arrays = [cuda.as_cuda_array(values[argument.name]) for argument in exercise.arguments]
        launch = kernel[exercise.launch(values)]
        if way != "im2col":
            return lambda: launch(*arrays)
        flat = values["weights"].reshape(len(values["weights"]), -1)

        def unroll_and_multiply() -> Any:
            launch(*arrays)
            return self.torch.mm(flat, values["cols"])

        return unroll_and_multiply

    def wrong_at(self, way: str) -> list[str]:
        """The layers of which some output is not exact."""
        wrong = []
        for sizes in (*CHECKED, LAYERS[1]):
            values = self.drawn(sizes, 3)
            self.torch.cuda.synchronize()
            got = self.call(way, values)()
            self.torch.cuda.synchronize()
            if way == "im2col":
                shape = sizes["n_out"], sizes["n_images"], sizes["n_rows"], sizes["n_cols"]
                got = got.reshape(shape).transpose(0, 1)
            got = values["dst"] if got is None else got
            right = self.torch.nn.functional.conv2d(values["src"].double(), values["weights"].double(), padding=1)
            wrong += [] if self.torch.equal(got.double(), right) else [title(sizes)]
        return wrong

    def time_us(self, way: str, sizes: dict[str, int]) -> float:
        """The median of several rounds, in microseconds. Numba's launches and torch's share the default stream."""
        values = self.drawn(sizes, 3)
        call = self.call(way, values)
        call()
        self.torch.cuda.synchronize()
        return 1e3 * float(np.median([self._round(call) for _ in range(7)]))

    def _round(self, call: Callable[[], Any], n: int = 20) -> float:
        """Milliseconds of a call, of n that are queued."""
        begins, ends = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        begins.record()
        for _ in range(n):
            call()
        ends.record()
        self.torch.cuda.synchronize()
        return begins.elapsed_time(ends) / n


def line(way: str, sizes: dict[str, int], times: dict[str, float]) -> list[str]:
    """One row of the measured table. times: microseconds by way, the library's included."""
    rate = direct_flops(sizes) / times[way] / 1e6
    return [way, title(sizes), f"{times[way]:,.0f}", f"{rate:.3g}", f"{times['library'] / times[way]:.2f}"]


def main() -> int:
    """Measure, record and print. Returns 2 without a GPU, 1 where a way is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=RESULTS, help="the folder for convolution.json")
    parser.add_argument("--only", default=",".join(WAYS), help="names of ways, with commas between")
    options = parser.parse_args()
    if not gpu_available():
        print("bench_convolution needs an NVIDIA GPU: there is nothing to measure here.", file=sys.stderr)
        return 2
    prepare()
    bench, ways = Bench(), options.only.split(",")
    wrong = {way: bench.wrong_at(way) for way in ways}
    rows, kept = [], []
    for sizes in LAYERS:
        times = {way: bench.time_us(way, sizes) for way in ("library", *ways)}
        rows += [line(way, sizes, times) for way in ("library", *ways)]
        kept.append({"sizes": sizes, "times_us": times})
    document = {"device": device_name(), "wrong_at": wrong, "layers": kept, "columns": MEASURED, "rows": rows}
    record("convolution", document, options.output)
    for row in (MEASURED, *rows):
        print(*row, sep="   ")
    print(*(f"{way} is WRONG at {', '.join(places)}" for way, places in wrong.items() if places), sep="\n")
    return 1 if any(wrong.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
