"""Half of a trained network's weights go, in several ways: what it costs on digits, in bytes, and in time.

    python -m benchmarks.compressed              writes benchmarks/results/compressed.json
    python -m benchmarks.compressed --output DIR
    python -m benchmarks.compressed --in-numpy       without a GPU: the digits anew, times as they were recorded

The network of minitrt/samples goes forward and back on the solutions of units 20 and 17: `rounded_layer`,
`masked_step`, `fake_quantise`; thresholds, channels and places are those of unit 20. It is trained on with 1,000 of
its digits, and judged by 1,000 that it has never seen. Times are of minitrt's engine. Passes of the network are the
same in NumPy, as a test holds, and take a minute there; the record says which it was.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from autograder.backend import gpu_available, prepare
from benchmarks.compressed import ways
from benchmarks.compressed.in_numpy import InNumpy
from benchmarks.compressed.network import LAYERS, Rounding, Trained, train_on
from benchmarks.compressed.on_kernels import OnKernels, solution
from benchmarks.record import RESULTS, device_name, record
from minitrt.samples import digits

EPOCHS, RATE = 10, 0.005
RATIOS = (1.0, 0.5, 0.25, 0.1)  # shares of a layer that stay, in the table of sensitivity
ACCURACY = ("network", "bytes of weights", "wrong of 1,000", "after training on", "engine, us for 1,000 digits")
SENSITIVITY = ("layer", *(f"{share:.0%} stay" for share in RATIOS), *(f"bytes at {share:.0%}" for share in RATIOS))


@dataclass
class Way:
    """One way to compress. bits: of weights where factors are rounded; timed: whether the engine has such a layer."""

    name: str
    n_bytes: int
    plain: digits.Arrays
    masks: digits.Arrays = field(default_factory=dict)
    rounding: Rounding | None = None
    trains: bool = True
    timed: bool = True


def all_ways(plain: digits.Arrays, x_steps: dict[str, np.float32]) -> list[Way]:
    """The rows of the table, but for that of sensitivity."""
    anywhere = {name: ways.largest(w, 0.5) for name, w in ways.weights_of(plain).items()}
    fours = {name: ways.two_of_four(w) for name, w in ways.weights_of(plain).items()}
    fewer = ways.fewer_channels(digits.network(), 0.5)
    inside = {name: step for name, step in x_steps.items() if name not in digits.AT_THE_ENDS}
    int8, int3 = Rounding(inside), Rounding(inside, levels=3)
    int8_bytes, int3_bytes = (ways.n_bytes(plain, None, way) for way in ("int8", "int3"))
    return [
        Way("whole, FP16", ways.n_bytes(plain), plain, trains=False),
        Way("half anywhere", ways.n_bytes(plain, anywhere, "bitmap"), plain, anywhere),
        Way("half of the channels inside blocks", ways.n_bytes(fewer), fewer),
        Way("two of every four", ways.n_bytes(plain, fours, "fours"), plain, fours),
        Way("INT8 between the first layer and the last", int8_bytes, plain, rounding=int8),
        Way("the same, weights of 3 bits", int3_bytes, plain, rounding=int3, timed=False),
    ]


class Bench:
    """Networks on the course's kernels, and the digits."""

    def __init__(self, by: Any) -> None:
        self.by, self.plain = by, digits.folded(digits.network())
        self.tuning, self.held_out = digits.for_tuning(), digits.held_out()
        self.timed: dict[str, tuple[digits.Arrays, Any]] = {}  # arrays and steps, by the way's name

    def row(self, way: Way) -> dict[str, Any]:
        """What a way costs, before and after training on; and what the engine is to be timed with."""
        net = Trained(self.by, way.plain, way.rounding, way.masks)
        found: dict[str, Any] = {"network": way.name, "bytes": way.n_bytes, "wrong": net.wrong(*self.held_out)}
        if way.trains:
            train_on(net, *self.tuning, EPOCHS, RATE)
            found["trained"] = net.wrong(*self.held_out)
        if way.timed:
            self.timed[way.name] = net.arrays(), way.rounding.x_steps if way.rounding else None
        return found

    def sensitivity(self) -> tuple[list[str], np.ndarray, np.ndarray]:
        """Names of layers; how many more are wrong with one of them alone at each ratio, and its bytes then."""
        whole = Trained(self.by, self.plain).wrong(*self.held_out)
        lost, sizes = np.zeros((len(LAYERS), len(RATIOS)), np.int64), np.zeros((len(LAYERS), len(RATIOS)), np.int64)
        for i, name in enumerate(LAYERS):
            weights = self.plain[f"{name}.weights"]
            for j, share in enumerate(RATIOS):
                mask = ways.largest(weights, share)
                lost[i, j] = Trained(self.by, self.plain, None, {name: mask}).wrong(*self.held_out) - whole
                sizes[i, j] = ways.of_layer(weights, mask, "bitmap")
        return list(LAYERS), lost, sizes

    def by_sensitivity(self, lost: np.ndarray, sizes: np.ndarray, budget: int) -> Way:
        """As many bytes as all layers at one half, where `choose_ratios` puts them."""
        chosen = solution("compression.choose_ratios")(lost, sizes, budget)
        masks = {
            name: ways.largest(self.plain[f"{name}.weights"], RATIOS[at])
            for name, at in zip(LAYERS, chosen.tolist(), strict=True)
        }
        rows = np.arange(len(LAYERS))
        return Way("the same bytes, by sensitivity", int(sizes[rows, chosen].sum()), self.plain, masks)


def shown(found: dict[str, Any]) -> list[str]:
    """A row of the table."""
    trained, engine = found.get("trained"), found.get("engine")
    time = f"{engine['us']:.0f}" if engine else "-"
    return [
        found["network"],
        f"{found['bytes']:,}",
        str(found["wrong"]),
        "-" if trained is None else str(trained),
        time,
    ]


def counted(bench: Bench) -> tuple[list[dict[str, Any]], list[list[str]]]:
    """Every way with its digits, before and after training on; and the rows of the table of sensitivity."""
    found = [bench.row(way) for way in all_ways(bench.plain, digits.scales(bench.plain, bench.tuning[0]))]
    names, lost, sizes = bench.sensitivity()
    found.insert(2, bench.row(bench.by_sensitivity(lost, sizes, found[1]["bytes"])))
    return found, [[name, *map(str, lost[i]), *(f"{size:,}" for size in sizes[i])] for i, name in enumerate(names)]


def in_numpy(folder: Path) -> dict[str, Any]:
    """The digits counted in NumPy, beside the times that are on record in folder for networks of the same names."""
    earlier = json.loads((folder / "compressed.json").read_text(encoding="utf-8"))
    times = {row["network"]: {"us": row["engine"]["us"]} for row in earlier["found"] if "engine" in row}
    found, table = counted(Bench(InNumpy()))
    found = [row | ({"engine": times[row["network"]]} if row["network"] in times else {}) for row in found]
    kept = {key: earlier[key] for key in ("machine", "date", "versions", "device", "products_us")}
    document = kept | {"digits": f"NumPy {np.__version__}", "found": found}
    return document | {"parts": {"sensitivity": {"columns": SENSITIVITY, "rows": table}, "accuracy": accuracy(found)}}


def accuracy(found: list[dict[str, Any]]) -> dict[str, Any]:
    """The table of accuracy, bytes and times."""
    return {"columns": ACCURACY, "rows": [shown(each) for each in found]}


def on_a_gpu(folder: Path) -> dict[str, Any]:
    """Digits by the course's kernels, times by the engine: kept after each, since engines take a while to build."""
    from benchmarks.compressed.times import Engines, products_us

    bench, engines = Bench(OnKernels()), Engines()
    found, table = counted(bench)
    document: dict[str, Any] = {"device": device_name(), "digits": "the course's kernels", "found": found}
    document["products_us"] = products_us(bench.plain, len(bench.held_out[0]))
    document["parts"] = {"sensitivity": {"columns": SENSITIVITY, "rows": table}}
    for row in found:
        if row["network"] in bench.timed:
            row["engine"] = engines.measured(*bench.timed[row["network"]])
        document["parts"]["accuracy"] = accuracy(found)
        record("compressed", document, folder)
    return document


def main() -> int:
    """Measure, record and print. Returns 2 without a GPU, unless NumPy is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=RESULTS, help="the folder for compressed.json")
    parser.add_argument(
        "--in-numpy", action="store_true", help="count the digits in NumPy, and leave times as they are"
    )
    options = parser.parse_args()
    prepare()
    if options.in_numpy:
        document = in_numpy(options.output)
        record("compressed", document, options.output)
    elif gpu_available():
        document = on_a_gpu(options.output)
    else:
        print("benchmarks.compressed needs an NVIDIA GPU, or --in-numpy, which times nothing.", file=sys.stderr)
        return 2
    for part in document["parts"].values():
        for row in (part["columns"], *part["rows"]):
            print(*row, sep="   ")
    print(document["products_us"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
