"""A whole decoder on the learner's kernels of unit 21: the trained one of `minitrt.samples.decoder`, token by token."""

from __future__ import annotations

import inspect
import textwrap
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.answer.attempted import read_attempt
from autograder.answer.globals_as_source import plain_function
from autograder.backend import cuda, gpu_available
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u21_language_models import glue
from autograder.exercises.u21_language_models.cache_values import PAGE, SPLIT
from autograder.exercises.u21_language_models.choice_values import MANY
from minitrt.samples import decoder
from minitrt.samples.decoder import HEAD, HEADS, INNER, LAYERS, WIDTH, WORDS
from simt.source.counts import count_text

KERNELS = "rms_norm rotate_pairs half_product four_bit_product attention_pages merge_splits choose_token".split()
RATE_GBS = 4_200  # about what an H200 copies
PROMPT, FEW, MORE = "Each thr", 4, 100  # of the last cell: tokens without a GPU and with one, none of them near a tie


class Speaker:
    """A text that grows on the GPU. kernels: by name, `KERNELS`; net: arrays of the decoder."""

    def __init__(self, kernels: dict[str, Any], net: decoder.Arrays, seed: int = 0) -> None:
        self.run, self.places = kernels, 0
        self.net = {name: cuda.to_device(array) for name, array in net.items()}
        self.table = np.random.default_rng(seed).permutation(decoder.MOST_PLACES // PAGE).astype(np.int32)
        self.pages, self.speeds = cuda.to_device(self.table), cuda.to_device(decoder.SPEEDS)
        self.place, self.token = room(1, kind=np.int32), room(1, kind=np.int32)
        self.keys, self.values = ([cache() for _ in range(LAYERS)] for _ in range(2))
        self.x, self.x16, self.normal = room(WIDTH), room(1, WIDTH, kind=np.float16), room(1, WIDTH, kind=np.float16)
        self.q, self.k, self.v = room(HEADS * HEAD), room(HEAD), room(HEAD)
        self.q16, self.k16 = room(1, HEADS, HEAD, kind=np.float16), room(1, 1, HEAD, kind=np.float16)
        n_splits = decoder.MOST_PLACES // SPLIT
        self.parts, self.logs, self.out = room(n_splits, HEADS, HEAD), room(n_splits, HEADS), room(HEADS, HEAD)
        self.gate, self.up, self.inner = room(INNER), room(INNER), room(INNER, kind=np.float16)
        self.y, self.y16, self.logits = room(WIDTH), room(WIDTH, kind=np.float16), room(1, WORDS)
        ones, zeros = np.ones(1, np.float32), np.zeros(1, np.float32)
        self.how = [cuda.to_device(one) for one in (ones, np.ones(1, np.int32), ones, zeros)]  # the most likely word

    def product(self, name: str, x: Any, y: Any) -> None:
        """y = weights of 4 bits times x."""
        packed = self.net[f"{name}.packed"]
        self.run["four_bit_product"][ceil_div(packed.shape[0], 8), 128](packed, self.net[f"{name}.scales"], x, y)

    def norm(self, name: str) -> Any:
        """The row so far with a mean square of 1, in float16."""
        self.run["rms_norm"][1, 128](self.x16, self.net[name], self.normal)
        return self.normal.reshape(-1)

    def turn(self, heads: Any, turned: Any) -> None:
        """Heads turned by the new place."""
        n_heads = turned.shape[1]
        self.run["rotate_pairs"][(n_heads, 1), 64](heads.reshape(1, n_heads, HEAD), self.place, self.speeds, turned)

    def add_to_row(self, y: Any) -> None:
        """The row so far, and its copy in float16."""
        glue.add[ceil_div(WIDTH, 128), 128](self.x, y, self.x16)

    def attend(self, layer: int) -> None:
        """Attention of the new place over all places, its own included."""
        x = self.norm(f"{layer}.before")
        for name, y in zip(decoder.HEADS_OF, (self.q, self.k, self.v), strict=True):
            self.product(f"{layer}.{name}", x, y)
        self.turn(self.q, self.q16)
        self.turn(self.k, self.k16)
        keys, values = self.keys[layer], self.values[layer]
        row = PAGE * int(self.table[self.places // PAGE]) + self.places % PAGE
        glue.remember[1, HEAD](self.k16, self.v, keys, values, row)
        n_splits, n_keys = ceil_div(self.places + 1, SPLIT), np.int32(self.places + 1)
        parts, logs = self.parts[:n_splits], self.logs[:n_splits]
        q = self.q16.reshape(HEADS, HEAD)
        self.run["attention_pages"][(n_splits, 1), 256](q, keys, values, self.pages, n_keys, parts, logs)
        self.run["merge_splits"][HEADS, (HEAD, 8)](parts, logs, self.out)
        glue.rounded[ceil_div(WIDTH, 128), 128](self.out.reshape(-1), self.y16)
        self.product(f"{layer}.out", self.y16, self.y)
        self.add_to_row(self.y)

    def think(self, layer: int) -> None:
        """The gated product of a layer."""
        x = self.norm(f"{layer}.between")
        self.product(f"{layer}.gate", x, self.gate)
        self.product(f"{layer}.up", x, self.up)
        glue.gated[ceil_div(INNER, 128), 128](self.gate, self.up, self.inner)
        self.product(f"{layer}.down", self.inner, self.y)
        self.add_to_row(self.y)

    def step(self) -> None:
        """Through all layers with the token that is in `token`, which is then the one that follows."""
        self.place.copy_to_device(np.array([self.places], np.int32))
        glue.begin[ceil_div(WIDTH, 128), 128](self.net["words"], self.token, self.x, self.x16)
        for layer in range(LAYERS):
            self.attend(layer)
            self.think(layer)
        self.run["half_product"][WORDS, 128](self.net["words"], self.norm("after"), self.logits.reshape(-1))
        self.run["choose_token"][1, MANY](self.logits, *self.how, self.token)
        self.places += 1

    def say(self, prompt: str, n: int) -> np.ndarray:
        """(n,) int32: the tokens that follow a prompt. Raises: ValueError for more places than there is room for."""
        tokens = decoder.tokens_of(prompt)
        if self.places + len(tokens) + n > decoder.MOST_PLACES or not len(tokens):
            places = count_text(decoder.MOST_PLACES, "place")
            raise ValueError(f"A text has room for {places}, and begins with one: ask for fewer tokens.")
        for token in tokens:
            self.token.copy_to_device(np.array([token], np.int32))
            self.step()
        said = [self.token.copy_to_host()[0]]
        while len(said) < n:
            self.step()
            said.append(self.token.copy_to_host()[0])
        return np.array(said, np.int32)


def room(*shape: int, kind: Any = np.float32) -> Any:
    """Zeros on the device."""
    return cuda.to_device(np.zeros(shape, kind))


def cache() -> Any:
    """Pages for as many places as there may be."""
    return room(1, decoder.MOST_PLACES, HEAD, kind=np.float16)


def bytes_per_token(net: decoder.Arrays, n_places: int) -> int:
    """What must come through memory: all weights once, and keys and values of the text so far."""
    return sum(array.nbytes for array in net.values()) + 2 * 2 * LAYERS * HEAD * n_places


def unwritten(kernels: dict[str, Any]) -> list[str]:
    """The kernels of which the stub stands yet."""
    functions = {name: plain_function(kernel) for name, kernel in kernels.items()}
    sources = {name: textwrap.dedent(inspect.getsource(function)) for name, function in functions.items()}
    return [
        name
        for name, source in sources.items()
        if read_attempt(source, functions[name].__code__.co_name).state != "attempted"
    ]


def speak(*kernels: Callable, prompt: str = PROMPT) -> None:
    """Print what the decoder says on these kernels, given in the order of the rungs, beside what the reference says."""
    given = dict(zip(KERNELS, kernels, strict=True))
    if missing := unwritten(given):
        print(f"Write {', '.join(missing)} first, further up: the decoder runs on kernels of yours alone.")
        return
    net, n = decoder.network(), MORE if gpu_available() else FEW
    Speaker(given, net).say(prompt[:1], 1)  # compiles
    speaker, begins = Speaker(given, net), time.perf_counter()
    said = speaker.say(prompt, n)
    seconds, right = time.perf_counter() - begins, decoder.generate(net, prompt, n)
    print(f"{prompt}|{decoder.said(said)}")
    print(f"{(said == right).sum()} of {count_text(n, 'token')} as the reference has them.")
    n_bytes = bytes_per_token(net, speaker.places)
    most = RATE_GBS * 1e9 / n_bytes
    print(f"A token brings {n_bytes / 1e6:.2f} MB: at {RATE_GBS:,} GB/s there could be {most:,.0f} in a second.")
    if gpu_available():
        print(f"There were {speaker.places / seconds:,.0f} in a second.")
