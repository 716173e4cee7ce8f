"""What the course's kernels cost in accuracy: a small ResNet that really was trained, in FP32 and INT8.

    python -m benchmarks.capstone.trained           writes benchmarks/results/capstone_trained.json

The digits are those that its training has not seen. Without a GPU the kernels are interpreted.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import minitrt as trt
from benchmarks.capstone import splits
from benchmarks.record import RESULTS, device_name, record
from minitrt import tactics
from minitrt.runtime.session import Session
from minitrt.samples import digits
from minitrt.samples.define import define

STRONG = 1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED)
BATCH = 100
COLUMNS = ("kernels", "type", "digits", "wrong", "same digit as the reference", "layers on the course's kernels")


def session(in_steps: bool, on_gpu: bool) -> tuple[Session, Counter]:
    """An engine of the trained network, with these tactics registered, and how many layers each tactic runs."""
    plain = digits.folded(digits.network())
    builder = trt.Builder(logger := trt.Logger(trt.Logger.ERROR))
    network, config = builder.create_network(STRONG), builder.create_builder_config()
    if not on_gpu:
        config.target = None
    define(network, plain, BATCH, digits.scales(plain, digits.for_tuning()[0]) if in_steps else None)
    engine = trt.Runtime(logger).deserialize_cuda_engine(builder.build_serialized_network(network, config))
    return Session(engine), Counter(choice.tactic.partition("@")[0] for choice in engine._plan.profiles[0].choices)


def logits_of(in_steps: bool, own: Sequence[Any], on_gpu: bool) -> tuple[np.ndarray, Counter]:
    """Logits of all digits that were held out, (1000, 10)."""
    images = digits.held_out()[0].reshape(-1, BATCH, 1, *digits.SIZE)
    with tactics.using(*own, only=True):
        made, names = session(in_steps, on_gpu)
        return np.concatenate([made.run({"image": batch})["logits"] for batch in images]), names


def rows(on_gpu: bool) -> list[list[str]]:
    """A row of the table for each engine."""
    labels, found = digits.held_out()[1], []
    reference = logits_of(True, (), on_gpu=False)[0].argmax(1)
    for kernels, kind, own in (
        ("the engine's", "FP32", ()),
        ("the engine's", "INT8", ()),
        ("the course's", "INT8", splits.tactics()),
    ):
        logits, names = logits_of(kind == "INT8", own, on_gpu)
        same = f"{np.mean(logits.argmax(1) == reference):.1%}" if kind == "INT8" else ""
        layers = sum(names[one.name] for one in own)
        row = kernels, kind, str(len(labels)), str(digits.wrong(logits, labels)), same
        found.append([*row, f"{layers} of {names.total()}"])
    return found


def record_rows(folder: Path, on_gpu: bool) -> None:
    """Measure, write and print."""
    found = rows(on_gpu)
    device = device_name() if on_gpu else "Interpreted, without a GPU"
    record("capstone_trained", {"device": device, "columns": COLUMNS, "rows": found}, folder)
    for row in (COLUMNS, *found):
        print(*row, sep="   ")


def main() -> None:
    """What `python -m benchmarks.capstone.trained` does."""
    from minitrt.device.driver import device_count

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, default=RESULTS, help="the folder for capstone_trained.json")
    record_rows(parser.parse_args().output, device_count() > 0)


if __name__ == "__main__":
    main()
