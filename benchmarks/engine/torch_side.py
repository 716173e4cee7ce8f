"""torch.compile of the same networks in FP16, in a process of its own: it compiles at once, and times when told to.

    python -m benchmarks.engine.torch_side resnet50:128 resnet50:1

Prints "ready", waits for a line, then prints a JSON object: "name:batch" -> microseconds.
"""

from __future__ import annotations

import argparse
import json
import sys
from statistics import median
from typing import Any

WARM_UP, RUNS, REPEATS = 10, 20, 5


def compiled(name: str, batch: int) -> tuple[Any, Any]:
    """(model, input): channels last, FP16; with a CUDA graph for small batches, where launches would count most."""
    import torch
    import torchvision

    from benchmarks.engine.torch_transformers import TRANSFORMERS

    torch.manual_seed(0)
    if name in TRANSFORMERS:
        model, shape = TRANSFORMERS[name]()
        model, x = model.eval().half().cuda(), torch.randn(batch, *shape, device="cuda").half()
    else:
        model = getattr(torchvision.models, name)().eval().half().cuda().to(memory_format=torch.channels_last)
        x = torch.randn(batch, 3, 224, 224, device="cuda").half().to(memory_format=torch.channels_last)
    model = torch.compile(model, mode="reduce-overhead" if batch < 16 else "default")
    with torch.inference_mode():
        for _ in range(WARM_UP):
            model(x)
    torch.cuda.synchronize()
    return model, x


def time_us(model: Any, x: Any) -> float:
    """Microseconds a run, back to back: the median of a few bursts."""
    import torch

    times = []
    with torch.inference_mode():
        for _ in range(WARM_UP):
            model(x)
        for _ in range(REPEATS):
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            begin.record()
            for _ in range(RUNS):
                model(x)
            end.record()
            torch.cuda.synchronize()
            times.append(1e3 * begin.elapsed_time(end) / RUNS)
    return round(median(times), 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("networks", nargs="+", metavar="NAME:BATCH", help="as in resnet50:128")
    pairs = {}
    for text in parser.parse_args().networks:
        name, batch = text.split(":")
        pairs[text] = compiled(name, int(batch))
    print("ready", flush=True)
    sys.stdin.readline()
    print(json.dumps({text: time_us(*pair) for text, pair in pairs.items()}), flush=True)


if __name__ == "__main__":
    main()
