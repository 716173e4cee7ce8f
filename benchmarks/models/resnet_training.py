"""Training of the small ResNet of minitrt/samples in NumPy: its layers, forward and back, and the steps.

Pictures are (N, height, width, channels) here, so that a patch is copied in runs of channels; weights are
(n_out, kernel * kernel * n_in) in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from minitrt.samples import digits

MOMENTUM, DECAY, STATISTICS = 0.9, 5e-4, 0.1  # of velocities, of weights, and how fast running statistics follow
Parameters = dict[str, np.ndarray]


def patches_of(x: np.ndarray, kernel: int, stride: int) -> np.ndarray:
    """(N * rows * columns, kernel * kernel * channels): what each output reads, zeros around the picture."""
    pad = kernel // 2
    x = np.pad(x, ((0, 0), (pad, pad), (pad, pad), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(x, (kernel, kernel), axis=(1, 2))[:, ::stride, ::stride]
    return windows.transpose(0, 1, 2, 4, 5, 3).reshape(-1, kernel * kernel * x.shape[3])


def patches_back(grad: np.ndarray, shape: tuple[int, ...], kernel: int, stride: int) -> np.ndarray:
    """The gradient of pictures of this shape from that of their patches: what was read often is added up."""
    n, height, width, channels = shape
    pad, rows, cols = kernel // 2, -(-height // stride), -(-width // stride)
    found = np.zeros((n, height + 2 * pad, width + 2 * pad, channels), np.float32)
    grad = grad.reshape(n, rows, cols, kernel, kernel, channels)
    for i in range(kernel):
        for j in range(kernel):
            found[:, i : i + stride * rows : stride, j : j + stride * cols : stride] += grad[:, :, :, i, j]
    return found[:, pad : pad + height, pad : pad + width]


def cross_entropy(logits: np.ndarray, labels: np.ndarray) -> tuple[float, np.ndarray]:
    """The mean loss of logits (N, classes), and its gradient."""
    p = np.exp(logits - logits.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    loss = float(-np.log(np.maximum(p[np.arange(len(p)), labels], 1e-30)).mean())
    p[np.arange(len(p)), labels] -= 1
    return loss, p / np.float32(len(p))


@dataclass
class ConvNorm:
    """A convolution and its batch norm. norm: gamma, beta, running mean and variance, (4, n_out)."""

    weights: np.ndarray
    norm: np.ndarray
    kernel: int
    stride: int
    kept: tuple = field(default=(), repr=False)  # of the last forward, for the way back
    gradients: Parameters = field(default_factory=dict, repr=False)

    def forward(self, x: np.ndarray) -> np.ndarray:
        """With the batch's own statistics, which the running ones follow."""
        patches = patches_of(x, self.kernel, self.stride)
        raw = patches @ self.weights.T
        mean, variance = raw.mean(axis=0), raw.var(axis=0)
        self.norm[2:] += STATISTICS * (np.stack([mean, variance]) - self.norm[2:])
        deviation = np.sqrt(variance + digits.EPSILON)
        normal = (raw - mean) / deviation
        self.kept = (x.shape, patches, normal, deviation)
        rows, cols = -(-x.shape[1] // self.stride), -(-x.shape[2] // self.stride)
        return (normal * self.norm[0] + self.norm[1]).reshape(len(x), rows, cols, -1)

    def backward(self, grad: np.ndarray) -> np.ndarray:
        """The gradient of what came in; those of weights, gamma and beta are kept."""
        shape, patches, normal, deviation = self.kept
        grad = grad.reshape(-1, grad.shape[-1])
        gamma, beta = (grad * normal).mean(axis=0), grad.mean(axis=0)
        self.gradients = {"norm": len(grad) * np.stack([gamma, beta])}
        raw = (self.norm[0] / deviation) * (grad - beta - normal * gamma)
        self.gradients["weights"] = raw.T @ patches
        return patches_back(raw @ self.weights, shape, self.kernel, self.stride)


@dataclass
class Training:
    """All layers by name, and the classifier. seed: of the first weights."""

    seed: int

    def __post_init__(self) -> None:
        rng = np.random.default_rng(self.seed)
        self.layers = {name: self._drawn(rng, *shape) for name, shape in digits.SHAPES.items()}
        features = digits.SHAPES["block3.second"][0]
        self.classifier = (rng.standard_normal((10, features)) * features**-0.5).astype(np.float32)
        self.bias, self.velocity = np.zeros(10, np.float32), {}

    @staticmethod
    def _drawn(rng: np.random.Generator, n_out: int, n_in: int, kernel: int, stride: int) -> ConvNorm:
        fan_in = n_in * kernel * kernel
        weights = (rng.standard_normal((n_out, fan_in)) * (2 / fan_in) ** 0.5).astype(np.float32)
        norm = np.repeat(np.array([[1], [0], [0], [1]], np.float32), n_out, axis=1)
        return ConvNorm(weights, norm, kernel, stride)

    def gradients(self, x: np.ndarray, labels: np.ndarray) -> float:
        """The loss of a batch; the layers keep their gradients."""
        relus = [np.maximum(self.layers["stem"].forward(x), 0)]
        for block in digits.BLOCKS:
            first, second, shortcut = (self.layers.get(f"{block}.{part}") for part in digits.PARTS)
            x = relus[-1]
            relus.append(np.maximum(first.forward(x), 0))
            relus.append(np.maximum(second.forward(relus[-1]) + (shortcut.forward(x) if shortcut else x), 0))
        features = relus[-1].mean(axis=(1, 2))
        logits = features @ self.classifier.T + self.bias
        loss, p = cross_entropy(logits, labels)
        self.of_classifier = {"weights": p.T @ features, "bias": p.sum(axis=0)}
        area = relus[-1].shape[1] * relus[-1].shape[2]
        self._back(relus, np.broadcast_to((p @ self.classifier / area)[:, None, None], relus[-1].shape))
        return loss

    def _back(self, relus: list[np.ndarray], grad: np.ndarray) -> None:
        """From the gradient of the last picture to those of all layers."""
        for block in reversed(digits.BLOCKS):
            first, second, shortcut = (self.layers.get(f"{block}.{part}") for part in digits.PARTS)
            grad = grad * (relus.pop() > 0)
            inside = second.backward(grad) * (relus.pop() > 0)
            grad = first.backward(inside) + (shortcut.backward(grad) if shortcut else grad)
        self.layers["stem"].backward(grad * (relus.pop() > 0))

    def step(self, rate: float) -> None:
        """Down the gradients with momentum; weights decay, norms and the bias do not."""
        for name, layer in self.layers.items():
            self._move(f"{name}.weights", layer.weights, layer.gradients["weights"], rate, DECAY)
            self._move(f"{name}.norm", layer.norm[:2], layer.gradients["norm"], rate)
        self._move("classifier", self.classifier, self.of_classifier["weights"], rate, DECAY)
        self._move("bias", self.bias, self.of_classifier["bias"], rate)

    def _move(self, name: str, values: np.ndarray, gradient: np.ndarray, rate: float, decay: float = 0) -> None:
        velocity = self.velocity.setdefault(name, np.zeros_like(values))
        velocity *= np.float32(MOMENTUM)
        velocity += gradient + np.float32(decay) * values
        values -= np.float32(rate) * velocity

    def arrays(self) -> Parameters:
        """What minitrt.samples.digits reads: weights as (n_out, n_in, kernel, kernel), float16; norms float32."""
        found: Parameters = {"classifier.weights": self.classifier.astype(np.float16), "classifier.bias": self.bias}
        for name, layer in self.layers.items():
            n_out, n_in, kernel, _ = digits.SHAPES[name]
            weights = layer.weights.reshape(n_out, kernel, kernel, n_in).transpose(0, 3, 1, 2)
            found |= {f"{name}.weights": weights.astype(np.float16), f"{name}.norm": layer.norm}
        return found


def shifted(rng: np.random.Generator, images: np.ndarray, most: int = 2) -> np.ndarray:
    """Every image moved by up to `most` pixels, either way; their margins are empty and 2 wide."""
    moved = np.empty_like(images)
    for i, (down, right) in enumerate(rng.integers(-most, most + 1, (len(images), 2))):
        moved[i] = np.roll(images[i], (down, right), axis=(0, 1))
    return moved


def train(images: np.ndarray, labels: np.ndarray, seed: int, epochs: int, batch: int = 50) -> Parameters:
    """Some epochs over images (N, 1, 32, 32) in [0, 1], shifted anew in each; the rate falls along a cosine."""
    training, rng = Training(seed), np.random.default_rng(seed + 1)
    images, steps, step = images.transpose(0, 2, 3, 1), epochs * (len(images) // batch), 0
    for epoch in range(epochs):
        order, losses = rng.permutation(len(images)), []
        for at in range(0, len(order) - batch + 1, batch):
            chosen = order[at : at + batch]
            losses.append(training.gradients(shifted(rng, images[chosen]), labels[chosen]))
            training.step(0.05 * (1 + np.cos(np.pi * step / steps)) * min(1, (step + 1) / 40))
            step += 1
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}", flush=True)
    return training.arrays()
