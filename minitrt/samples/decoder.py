"""A decoder of 2.9 million weights of 4 bits that was trained on Warpbook's own text, and what it says, in NumPy.

    from minitrt.samples import decoder

    net = decoder.network()                          # {"words": (128, 512) float16, "0.query.packed": ..., ...}
    decoder.said(decoder.generate(net, "A warp ", 40))

A token is a character of ASCII. Two layers: RMS norm, queries of four heads of 128 that share one head of keys and
values, turned by their places, and a gated product. Weights are 16 steps of a float16 scale per 32 neighbours, as unit
21 of the course has them; rows between layers are float32, and what goes into a product is float16.
The script that made it: benchmarks/train_decoder.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

FILE = Path(__file__).parent / "decoder.npz"
LAYERS, WIDTH, INNER, WORDS = 2, 512, 512, 128
HEADS, HEAD, GROUP = 4, 128, 32  # heads of queries, numbers of a head, weights that share a scale
MOST_PLACES, EPS = 1024, 1e-5
HEADS_OF = ("query", "key", "value")
SPEEDS = (10_000.0 ** -(np.arange(HEAD // 2) / (HEAD // 2))).astype(np.float32)  # radians per place
PARTS = {  # of a layer: rows, columns
    "query": (HEADS * HEAD, WIDTH),
    "key": (HEAD, WIDTH),
    "value": (HEAD, WIDTH),
    "out": (WIDTH, HEADS * HEAD),
    "gate": (INNER, WIDTH),
    "up": (INNER, WIDTH),
    "down": (WIDTH, INNER),
}
MATRICES = {f"{layer}.{name}": shape for layer in range(LAYERS) for name, shape in PARTS.items()}
NORMS = (*(f"{layer}.{name}" for layer in range(LAYERS) for name in ("before", "between")), "after")
Arrays = Mapping[str, np.ndarray]


def network() -> dict[str, np.ndarray]:
    """The trained arrays: words, five norms, and packed steps and scales of each matrix."""
    with np.load(FILE) as kept:
        return {name: kept[name] for name in kept.files}


def packed(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Steps (n_rows, n_cols / 2) int8, two in a byte, the first in its lower half, and scales (n_rows, n_cols / 32)
    float16: a weight is (step - 8) times its group's scale."""
    groups = weights.reshape(len(weights), -1, GROUP)
    scales = (np.abs(groups).max(axis=-1) / 7).astype(np.float16)
    steps = np.rint(groups / np.maximum(scales, 1e-6)[..., None].astype(np.float32)).clip(-8, 7) + 8
    steps = steps.astype(np.uint8).reshape(len(weights), -1)
    return (steps[:, ::2] | steps[:, 1::2] << 4).view(np.int8), scales


def unpacked(net: Arrays, name: str) -> np.ndarray:
    """A matrix as float32."""
    whole = net[f"{name}.packed"].view(np.uint8)
    steps = np.stack([whole & 15, whole >> 4], axis=-1).reshape(*net[f"{name}.scales"].shape, GROUP)
    return ((steps.astype(np.float32) - 8) * net[f"{name}.scales"][..., None]).reshape(len(whole), -1)


def tokens_of(text: str) -> np.ndarray:
    """(n,) int32: the characters of a text; those that are not of ASCII are left out."""
    return np.frombuffer(text.encode("ascii", "ignore"), np.uint8).astype(np.int32)


def said(tokens: np.ndarray) -> str:
    """The text of tokens."""
    return bytes(np.asarray(tokens, np.uint8)).decode("ascii")


def halved(x: np.ndarray) -> np.ndarray:
    """Rounded to float16, and float32 again."""
    return x.astype(np.float16).astype(np.float32)


def turned(heads: np.ndarray, place: int) -> np.ndarray:
    """Heads (n, 128) with numbers i and i + 64 turned by their speed times the place."""
    angle = np.float32(place) * SPEEDS
    a, b = np.split(heads, 2, axis=1)
    return np.concatenate([a * np.cos(angle) - b * np.sin(angle), b * np.cos(angle) + a * np.sin(angle)], axis=1)


@dataclass
class Text:
    """One text: keys and values of all its places so far."""

    net: Arrays
    keys: list[list[np.ndarray]] = field(default_factory=lambda: [[] for _ in range(LAYERS)])
    values: list[list[np.ndarray]] = field(default_factory=lambda: [[] for _ in range(LAYERS)])

    def __post_init__(self) -> None:
        self.matrices = {name: unpacked(self.net, name) for name in MATRICES}

    def normal(self, name: str, x: np.ndarray) -> np.ndarray:
        """A row with a mean square of 1, times gamma."""
        x = halved(x)
        return halved(x / np.sqrt(np.mean(x * x) + np.float32(EPS)) * self.net[name].astype(np.float32))

    def attended(self, layer: int, y: np.ndarray) -> np.ndarray:
        """(512,): attention of a new place over all places, its own included."""
        place = len(self.keys[layer])
        q, k, v = (self.matrices[f"{layer}.{name}"] @ y for name in HEADS_OF)
        q = halved(turned(q.reshape(HEADS, HEAD), place))
        self.keys[layer].append(halved(turned(k.reshape(1, HEAD), place))[0])
        self.values[layer].append(halved(v))
        scores = q @ np.stack(self.keys[layer]).T * np.float32(HEAD**-0.5)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return (powers / powers.sum(axis=1, keepdims=True) @ np.stack(self.values[layer])).reshape(-1)

    def add(self, token: int) -> np.ndarray:
        """(128,) float32: logits of the token that follows."""
        x = self.net["words"][token].astype(np.float32)
        for layer in range(LAYERS):
            y = self.attended(layer, self.normal(f"{layer}.before", x))
            x = x + self.matrices[f"{layer}.out"] @ halved(y)
            y = self.normal(f"{layer}.between", x)
            gate, up = (self.matrices[f"{layer}.{name}"] @ y for name in ("gate", "up"))
            x = x + self.matrices[f"{layer}.down"] @ halved(gate / (1 + np.exp(-gate)) * up)
        return self.net["words"].astype(np.float32) @ self.normal("after", x)


def generate(net: Arrays, prompt: str, n: int) -> np.ndarray:
    """(n,) int32: the most likely tokens behind a prompt, one after the other; of equal ones the first."""
    text, tokens = Text(net), list(tokens_of(prompt))
    for token in tokens:
        logits = text.add(token)
    for _ in range(n):
        tokens.append(int(np.argmax(logits)))
        logits = text.add(tokens[-1])
    return np.array(tokens[-n:], np.int32)
