"""The trained network forward and back, and its training on: under masks, and with factors rounded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.models.resnet_training import cross_entropy
from minitrt.samples import digits

BATCH, NOTHING = 100, np.float32(0)
LAYERS = (*digits.SHAPES, "classifier")


def as_rows(weights: np.ndarray) -> np.ndarray:
    """A layer's weights as rows of (kernel, kernel, channels), the order of a patch; those of the classifier as is."""
    return np.ascontiguousarray(
        weights if weights.ndim == 2 else weights.transpose(0, 2, 3, 1).reshape(len(weights), -1)
    )


def as_layer(rows: np.ndarray, like: np.ndarray) -> np.ndarray:
    """The other way, in the shape of `like`."""
    n_out, *rest = like.shape
    return rows if like.ndim == 2 else rows.reshape(n_out, *rest[1:], rest[0]).transpose(0, 3, 1, 2)


@dataclass(frozen=True)
class Rounding:
    """How factors are rounded. x_steps: of tensors that products and sums read, as `digits.scales` has them; a layer
    whose tensor has none is not rounded. levels: of weights, on either side of 0."""

    x_steps: Mapping[str, np.float32]
    levels: int = 127


@dataclass
class Trained:
    """A folded network on a device. by: what computes, `OnKernels` or `InNumpy`; masks: 0 for weights that are gone."""

    by: Any
    plain: digits.Arrays
    rounding: Rounding | None = None
    masks: digits.Arrays = field(default_factory=dict)

    def __post_init__(self) -> None:
        rows = {name: as_rows(self.plain[f"{name}.weights"]) for name in LAYERS}
        masks = {name: as_rows(self.masks[name]) if name in self.masks else np.ones(rows[name].shape) for name in rows}
        self.weights = {name: self.by.put(rows[name] * masks[name].astype(np.float32)) for name in rows}
        self.mask = {name: self.by.put(masks[name].astype(np.int8)) for name in rows}
        self.bias = {name: self.by.put(self.plain[f"{name}.bias"].astype(np.float32)) for name in rows}
        self.kept: dict[str, Any] = {}  # of the last forward, by the tensor's name and by the layer's
        self.set_steps()

    def set_steps(self) -> None:
        """A step for each row of weights, from what they are now; zeros where nothing is rounded."""
        self.steps = {}
        for name, weights in self.weights.items():
            steps = np.zeros(weights.shape[0], np.float32)
            if self.rounding and self.step_of(digits.READS[name]):
                steps = np.abs(self.by.get(weights)).max(axis=1) / np.float32(self.rounding.levels)
            self.steps[name] = self.by.put(steps)

    # --- forward ---

    def logits(self, images: np.ndarray) -> np.ndarray:
        """(n, 10) of images (n, 1, 32, 32), on the host."""
        x = self.read("image", self.by.put(images.transpose(0, 2, 3, 1)))
        x = self.read("stem", self.convolved("stem", x, relu=True))
        for block in digits.BLOCKS:
            first = self.read(f"{block}.first", self.convolved(f"{block}.first", x, relu=True))
            around = x
            if f"{block}.shortcut" in digits.SHAPES:
                around = self.read(f"{block}.shortcut", self.convolved(f"{block}.shortcut", x))
            x = self.read(block, self.convolved(f"{block}.second", first, around, relu=True))
        features = self.read("features", self.by.put(self.by.get(x).mean(axis=(1, 2))))
        self.kept["classifier"] = features
        raw = self.by.product(features, self.step_of("features"), self.weights["classifier"], self.steps["classifier"])
        return self.by.get(self.by.added(raw, self.bias["classifier"], None, False))

    def step_of(self, tensor: str) -> np.float32:
        return self.rounding.x_steps.get(tensor, NOTHING) if self.rounding else NOTHING

    def read(self, tensor: str, x: Any) -> Any:
        """What products read of a tensor: its whole steps, where factors are rounded."""
        self.kept[f"{tensor} as it was"] = x
        return self.by.fake(x, self.step_of(tensor)) if self.step_of(tensor) else x

    def convolved(self, name: str, x: Any, around: Any = None, relu: bool = False) -> Any:
        """A layer of pictures x; (N, rows, columns, n_out)."""
        _, _, kernel, stride = digits.SHAPES[name]
        patches = self.by.patches(x, kernel, stride)
        self.kept[name] = patches, x.shape
        raw = self.by.product(patches, self.step_of(digits.READS[name]), self.weights[name], self.steps[name])
        n, height, width, _ = x.shape
        return self.by.added(raw, self.bias[name], around, relu).reshape(
            n, -(-height // stride), -(-width // stride), -1
        )

    # --- back ---

    def train(self, images: np.ndarray, labels: np.ndarray, rate: float) -> float:
        """One step of training on a batch; the mean cross entropy before it."""
        logits = self.logits(images)
        loss, gradient = cross_entropy(logits, labels)
        upstream = self.by.put(gradient.astype(np.float32))
        features = self.back("classifier", self.kept["classifier"], upstream, rate)
        grad = self.by.get(self.through("features", features))
        shape = self.kept["block3 as it was"].shape
        area = np.float32(shape[1] * shape[2])
        self._blocks_back(self.by.put(np.broadcast_to(grad[:, None, None] / area, shape)), rate)
        return loss

    def _blocks_back(self, grad: Any, rate: float) -> None:
        for block in reversed(digits.BLOCKS):
            grad = self.by.passed(self.through(block, grad), self.kept[f"{block} as it was"])
            inside = self.through(f"{block}.first", self.layer_back(f"{block}.second", grad, rate))
            inside = self.by.passed(inside, self.kept[f"{block}.first as it was"])
            below = self.layer_back(f"{block}.first", inside, rate)
            around = grad
            if f"{block}.shortcut" in digits.SHAPES:
                around = self.layer_back(f"{block}.shortcut", self.through(f"{block}.shortcut", grad), rate)
            flat = below.reshape(-1, below.shape[3])
            nothing = self.by.put(np.zeros(below.shape[3], np.float32))
            grad = self.by.added(flat, nothing, around.reshape(flat.shape), False).reshape(below.shape)
        grad = self.by.passed(self.through("stem", grad), self.kept["stem as it was"])
        self.layer_back("stem", grad, rate)

    def through(self, tensor: str, grad: Any) -> Any:
        """The gradient through the rounding of a tensor."""
        x, step = self.kept[f"{tensor} as it was"], self.step_of(tensor)
        return self.by.through(x, step, grad.reshape(x.shape)) if step else grad

    def layer_back(self, name: str, grad: Any, rate: float) -> Any:
        """Moves a convolution's weights; the gradient of the pictures that it was given."""
        _, _, kernel, stride = digits.SHAPES[name]
        patches, shape = self.kept[name]
        of_patches = self.back(name, patches, grad.reshape(-1, grad.shape[-1]), rate)
        return self.by.patches_back(of_patches, shape, kernel, stride)

    def back(self, name: str, x: Any, upstream: Any, rate: float) -> Any:
        """Moves a layer's weights and bias; the gradient of its x, by the rounded weights that the loss has seen."""
        weights, n_in = self.weights[name], self.weights[name].shape[1]
        eye = self.by.put(np.eye(n_in, dtype=np.float32))
        turned = self.by.product(eye, NOTHING, weights, self.steps[name])  # rounded, rows and columns exchanged
        of_x = self.by.product(upstream, NOTHING, turned, self.by.put(np.zeros(n_in, np.float32)))
        self.by.step(weights, self.mask[name], x, upstream, rate)
        n_out = weights.shape[0]
        ones, stays = np.ones((x.shape[0], 1), np.float32), np.ones((n_out, 1), np.int8)
        self.by.step(self.bias[name].reshape(n_out, 1), self.by.put(stays), self.by.put(ones), upstream, rate)
        return of_x

    # --- as a whole ---

    def arrays(self) -> digits.Arrays:
        """The folded network as it is now, unrounded, for `digits.logits` and the engine."""
        found = {f"{name}.bias": self.by.get(bias) for name, bias in self.bias.items()}
        for name, weights in self.weights.items():
            found[f"{name}.weights"] = as_layer(self.by.get(weights), self.plain[f"{name}.weights"])
        return found

    def wrong(self, images: np.ndarray, labels: np.ndarray) -> int:
        """How many are taken for another digit, in batches."""
        parts = [self.logits(images[at : at + BATCH]) for at in range(0, len(images), BATCH)]
        return digits.wrong(np.concatenate(parts), labels)


def train_on(net: Trained, images: np.ndarray, labels: np.ndarray, epochs: int, rate: float, seed: int = 0) -> None:
    """Some epochs of plain steps; the rate falls along a cosine, and steps of weights follow them once an epoch."""
    rng, steps, done = np.random.default_rng(seed), epochs * (len(images) // BATCH), 0
    for _ in range(epochs):
        net.set_steps()
        order = rng.permutation(len(images))
        for at in range(0, len(order) - BATCH + 1, BATCH):
            chosen = order[at : at + BATCH]
            net.train(images[chosen], labels[chosen], rate * (1 + np.cos(np.pi * done / steps)) / 2)
            done += 1
    net.set_steps()
