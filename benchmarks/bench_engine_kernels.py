"""Unit 18's layers on this GPU: three 3 x 3 layers of ResNet-50 at batch 128, beside cuDNN in FP16 and the engine,
and the sums of one of its last layers for one picture, by more and more blocks per tile.

    python benchmarks/bench_engine_kernels.py              writes benchmarks/results/engine_kernels.json
    python benchmarks/bench_engine_kernels.py --output DIR --only conv_layer

Each kernel is right where every byte of its line equals the layer worked out in float64. Times are of launches in a
CUDA graph, inputs rotated through more memory than L2 holds, the median of several replays; the engine's is what its
tuner measures in the same way, its fastest tactic.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from autograder import exercises
from autograder.answer import reference
from autograder.backend import gpu_available, prepare
from autograder.exercises.u18_engine_kernels.conv_values import inside, timed_layer
from autograder.running.run_cuda import raise_limit
from benchmarks.record import RESULTS, device_name, record

LAYERS = ((128, 64, 56), (128, 128, 28), (128, 256, 14))  # images, channels in and out, rows and columns
KERNELS = ("conv_layer", "conv_warpgroup")
LAUNCHES, REPLAYS, SETS = 20, 7, 6
ONE_PICTURE, SHARES = (1, 512, 7), (1, 2, 4, 8, 16)  # the layer whose sums are split, and into how many
SPLIT_COLUMNS = ("kernel", "shares", "blocks", "us", "times conv_ring")
COLUMNS = ("kernel", "layer", "us", "TOPS", "times cuDNN FP16", "of the engine")
GOALS = {"cudnn": 1.2, "engine": 0.5}  # what the last rung should reach, in times their speed


def title(images: int, channels: int, side: int) -> str:
    """A layer in words."""
    return f"{channels} channels, {side} x {side}, batch {images}"


class Layer:
    """One layer's data on the GPU, as lines and as torch's pictures."""

    def __init__(self, images: int, channels: int, side: int) -> None:
        import torch

        torch.backends.cudnn.benchmark = True  # the library tries its ways, as its users let it
        self.torch, self.shape, self.sizes = torch, (images, channels, side), timed_layer(images, channels, side)
        n_cells, n_blocks = self.sizes["n_cells"], self.sizes["n_blocks"]
        there = inside(n_cells, self.sizes["pitch"], self.sizes["height"]).astype(np.int8)
        self.there = torch.as_tensor(there, device="cuda").view(1, -1, 1)
        draw = lambda *shape: torch.randint(-128, 128, shape, device="cuda", dtype=torch.int8)  # noqa: E731
        self.lines = [draw(n_blocks, n_cells, 32) * self.there for _ in range(SETS)]
        self.results = [torch.full_like(line, 77) for line in self.lines]
        self.weights, self.residual = draw(n_blocks, 9, channels, 32), draw(n_blocks, n_cells, 32) * self.there
        self.multiplier = 2.0 ** -torch.randint(11, 14, (channels,), device="cuda").float()
        self.addend = torch.randint(-40, 41, (channels,), device="cuda").float() / 2

    def pictures(self, line: Any, count: int) -> Any:
        """The first pictures of a line, (count, channels, side, side)."""
        images, channels, side = self.shape
        rows = line[:, :-1].reshape(len(line), -1, side + 1, 32)[:, 1:, 1:]
        apart = rows.reshape(len(line), images, side + 1, side, 32)[:, :count, :side]
        return apart.permute(1, 0, 4, 2, 3).reshape(count, channels, side, side)

    def arguments(self, i: int, residual_multiplier: float) -> list:
        """Of one launch, on the i-th set of arrays."""
        from numba import cuda

        arrays = self.lines[i], self.weights, self.multiplier, self.addend, self.residual, self.results[i]
        src, weights, multiplier, addend, residual, dst = (cuda.as_cuda_array(array) for array in arrays)
        scalars = np.float32(residual_multiplier), np.float32(0), np.float32(np.inf)
        return [src, weights, self.sizes["pitch"], self.sizes["height"], multiplier, addend, residual, *scalars, dst]

    def expected(self, count: int, residual_multiplier: float) -> Any:
        """The layer of the first pictures in float64, as int8."""
        torch, (_, channels, _) = self.torch, self.shape
        weights = self.weights.permute(2, 0, 3, 1).reshape(channels, channels, 3, 3).double()
        v = torch.nn.functional.conv2d(self.pictures(self.lines[0], count).double(), weights, padding=1)
        v = v * self.multiplier.double().view(1, -1, 1, 1) + self.addend.double().view(1, -1, 1, 1)
        v = v + residual_multiplier * self.pictures(self.residual, count).double()
        return v.clamp(min=0).round().clamp(-128, 127).to(torch.int8)

    def launcher(self, name: str, residual_multiplier: float = 0.0) -> Callable[[int], None]:
        """launch(i) of a kernel of the course on the stream that torch is using."""
        from numba import cuda

        exercise, kernel = exercises.find(f"engine_kernels.{name}"), self.kernel(name)
        sets = [self.arguments(i, residual_multiplier) for i in range(SETS)]
        grid, block, shared = exercise.launch(
            {"dst": self.results[0], "weights": self.weights, "pitch": self.sizes["pitch"]}
        )
        raise_limit(kernel, sets[0], shared)

        def launch(i: int) -> None:
            stream = cuda.external_stream(self.torch.cuda.current_stream().cuda_stream)
            kernel[grid, block, stream, shared](*sets[i % SETS])

        return launch

    def kernel(self, name: str) -> Any:
        """The solution of an exercise. Raises: FileNotFoundError before `make course`."""
        return reference.solved(exercises.find(f"engine_kernels.{name}")).load()[1]

    def is_right(self, name: str) -> bool:
        """Whether the first pictures are, and zero cells are zeros, with a residual and without."""
        for multiplier in (0.5, 0.0):
            self.results[0].fill_(77)
            self.launcher(name, multiplier)(0)
            self.torch.cuda.synchronize()
            same = self.torch.equal(self.pictures(self.results[0], 2), self.expected(2, multiplier))
            if not same or bool((self.results[0] * (1 - self.there)).any()):
                return False
        return True

    def time_us(self, call: Callable[[int], Any]) -> float:
        """Microseconds of one call, of several in a graph."""
        torch = self.torch
        call(0)
        torch.cuda.synchronize()
        graph, times = torch.cuda.CUDAGraph(), []
        with torch.cuda.graph(graph):
            for i in range(LAUNCHES):
                call(i)
        for _ in range(REPLAYS + 1):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            graph.replay()
            end.record()
            torch.cuda.synchronize()
            times.append(1e3 * begin.elapsed_time(end) / LAUNCHES)
        return float(median(times[1:]))

    def cudnn_us(self) -> float:
        """The library's convolution in FP16, channels last."""
        torch, (images, channels, side) = self.torch, self.shape
        halves = [torch.randn(images, channels, side, side, device="cuda").half() for _ in range(4)]
        halves = [each.to(memory_format=torch.channels_last) for each in halves]
        weights = torch.randn(channels, channels, 3, 3, device="cuda").half().to(memory_format=torch.channels_last)
        with torch.no_grad():
            return self.time_us(lambda i: torch.nn.functional.conv2d(halves[i % 4], weights, padding=1))


def one_picture() -> tuple[list[list[str]], list[str]]:
    """Rows of the table of few tiles, and which sums are wrong: conv_ring, then conv_split by so many shares.

    Setting sums to 0 is part of the time of conv_split.
    """
    from numba import cuda

    layer, rows, wrong = Layer(*ONE_PICTURE), [], []
    torch, channels, n_cells = layer.torch, ONE_PICTURE[1], layer.sizes["n_cells"]
    sums = torch.zeros((n_cells, channels), dtype=torch.int32, device="cuda")
    given = {"sums": sums, "pitch": layer.sizes["pitch"]}
    grid, block, shared = exercises.find("engine_kernels.conv_ring").launch(given)
    arrays = [cuda.as_cuda_array(array) for array in (layer.lines[0], layer.weights, sums)]
    arguments, right, first_us = [*arrays[:2], layer.sizes["pitch"], arrays[2]], None, 0.0
    for name, shares in (("conv_ring", 1), *(("conv_split", shares) for shares in SHARES)):
        kernel = layer.kernel(name)
        raise_limit(kernel, arguments, shared)

        def call(_i: int, kernel: Any = kernel, shares: int = shares, name: str = name) -> None:
            stream = cuda.external_stream(torch.cuda.current_stream().cuda_stream)
            if name == "conv_split":
                sums.zero_()
            kernel[(*grid, shares), block, stream, shared](*arguments)

        sums.fill_(77)
        call(0)
        torch.cuda.synchronize()
        right = sums.clone() if right is None else right
        if not torch.equal(sums, right):
            wrong.append(f"{name}, {shares} shares")
        us = layer.time_us(call)
        first_us = first_us or us
        rows.append([name, str(shares), str(grid[0] * grid[1] * shares), f"{us:.1f}", f"{first_us / us:.2f}"])
    return rows, wrong


def engine_us() -> list[tuple[float, str]]:
    """Microseconds and name of the engine's fastest tactic for each layer."""
    from minitrt.api.enums import DataType
    from minitrt.device.driver import device_facts, use_device
    from minitrt.graph.ir import Op, Value
    from minitrt.tactics import hopper_conv
    from minitrt.tactics.timing_cache import TimingCache, header_of
    from minitrt.tactics.tuner import Tuner

    use_device()
    tuner, rng, ops = Tuner(device_facts(), TimingCache(header_of(device_facts()))), np.random.default_rng(0), []
    window = dict(kernel=[3, 3], stride=[1, 1], pads_before=[1, 1], pads_after=[1, 1], dilations=[1, 1], groups=1)
    for images, channels, side in LAYERS:
        w = rng.integers(-128, 128, (channels, channels, 3, 3)).astype(np.int8)
        x, y = (Value(name, DataType.INT8, (images, channels, side, side), scale=0.05) for name in "xy")
        weights = Value("w", DataType.INT8, w.shape, scale=np.full(channels, 0.01, np.float32), data=w)
        bias = Value("b", DataType.FLOAT, (channels,), data=np.zeros(channels, np.float32))
        attrs = {**window, "activation": {"type": "relu", "alpha": 0.0, "beta": 0.0}}
        ops.append(Op("conv", "conv", [x, weights, bias, None], [y], attrs))
    found = [hopper_conv.candidates(op, tuner.device) for op in ops]
    tuner.prepare(zip(ops, found, strict=True))
    best = [tuner.choose(op, tactics)[0] for op, tactics in zip(ops, found, strict=True)]
    return [(time_us, tactic.name) for time_us, tactic in best]


def goals(kept: list[dict[str, Any]]) -> list[str]:
    """Which goals the last rung reaches, a sentence each."""
    said = []
    for layer in kept:
        times = layer["times_us"]
        for other, least in GOALS.items():
            if "conv_warpgroup" in times:
                reached = times[other] / times["conv_warpgroup"]
                name = "cuDNN's FP16" if other == "cudnn" else "the engine"
                verb = "reached" if reached >= least else "missed"
                said.append(f"{layer['layer']}: {reached:.2f} times {name}; the goal of {least} is {verb}.")
    return said


def main() -> int:
    """Measure, record and print. Returns 2 without a GPU, 1 where a kernel is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=RESULTS, help="the folder for engine_kernels.json")
    parser.add_argument("--only", default=",".join(KERNELS), help="names of kernels, with commas between")
    options = parser.parse_args()
    if not gpu_available():
        print("bench_engine_kernels needs an NVIDIA GPU: there is nothing to measure here.", file=sys.stderr)
        return 2
    prepare()
    names, wrong, kept, rows = options.only.split(","), [], [], []
    for shape, (of_engine, tactic) in zip(LAYERS, engine_us(), strict=True):
        layer = Layer(*shape)
        wrong += [f"{name}: {title(*shape)}" for name in names if not layer.is_right(name)]
        times = {name: layer.time_us(layer.launcher(name)) for name in names}
        times |= {"cudnn": layer.cudnn_us(), "engine": of_engine}
        kept.append({"layer": title(*shape), "times_us": times, "tactic": tactic})
        images, channels, side = shape
        operations = 2e-6 * images * side * side * channels * channels * 9
        for name in (*names, "cudnn", "engine"):
            us = times[name]
            shown = {"cudnn": "cuDNN, FP16", "engine": "the engine, INT8"}.get(name, name)
            ratios = f"{times['cudnn'] / us:.2f}", f"{times['engine'] / us:.2f}"
            rows.append([shown, title(*shape), f"{us:.1f}", f"{operations / us:.0f}", *ratios])
    few, wrong_sums = one_picture()
    wrong += wrong_sums
    parts = {
        "measured": {"columns": COLUMNS, "rows": rows},
        "one picture": {"columns": SPLIT_COLUMNS, "rows": few},
    }
    document = {"device": device_name(), "wrong_at": wrong, "goals": goals(kept), "parts": parts, "layers": kept}
    record("engine_kernels", document, options.output)
    for row in (COLUMNS, *rows, SPLIT_COLUMNS, *few, *([line] for line in document["goals"])):
        print(*row, sep="   ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
