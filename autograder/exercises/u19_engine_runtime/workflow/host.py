"""The judge's side of unit 19's run_network: files are built, plans loaded and requests run, as a service would."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any

import numpy as np

from autograder.exercises.u19_engine_runtime.workflow.files import UNKNOWN, SmallNetwork, file_of
from autograder.exercises.u19_engine_runtime.workflow.memory import STREAM, Watched

SMALLEST, LIKELY, LARGEST = 1, 4, 8  # rows of the profile
ROWS = 4, 1, 8, 3  # of the requests

Build = Callable[[bytes, tuple], bytes]
Load = Callable[[bytes], Callable[[np.ndarray], np.ndarray]]


class Found(IntEnum):
    """What went wrong first; FINE for nothing."""

    FINE = 0
    NO_PLAN = 1
    NO_PROFILE = 2
    OTHER_PROFILE = 3
    NOT_BEGUN = 4
    OTHER_STREAM = 5
    NOT_WAITED_FOR = 6
    WRONG_RESULT = 7
    FIRST_SHAPE_ALONE = 8
    OUTSIDE_TAKEN = 9
    CONTEXT_EACH_RUN = 10
    NAMES_TAKEN = 11
    ENGINES_MIXED = 12
    ERRORS_SWALLOWED = 13
    FIRST_ERROR_ALONE = 14
    BUILD_NOT_TOLD = 15
    DAMAGE_NOT_TOLD = 16
    BUILT_AGAIN = 17


class Stopped(Exception):
    """The judge stops with what it found."""

    def __init__(self, found: Found) -> None:
        self.found = found
        super().__init__(found.name)


class JudgedNetworks:
    """seed: of weights and requests; n_in, n_out: numbers of a row before and after the network."""

    def __init__(self, seed: int, n_in: int, n_out: int) -> None:
        rng = np.random.default_rng(seed)
        self._first, self._second = drawn(rng, n_in, n_out), drawn(rng, n_out + 1, n_in, "pixels", "logits")
        self._requests = [rng.integers(-4, 5, (rows, n_in)).astype(np.float32) for rows in ROWS]
        self._others = rng.integers(-4, 5, (2, n_out + 1)).astype(np.float32)
        self._watched = Watched()
        self.logger, self.stream = self._watched.logger(), STREAM

    @classmethod
    def of(cls, table: np.ndarray) -> JudgedNetworks:
        """One by its numbers. table: (3,) int64, seed, and numbers of a row before and after."""
        return cls(*table.tolist())

    # what an answer asks

    def said(self) -> str:
        """What the logger was told last."""
        return self._watched.heard[-1] if self._watched.heard else "nothing was said"

    def upload(self, x: np.ndarray) -> int:
        """The address of a copy of float32 numbers in the device's memory."""
        return self._watched.upload(x)

    def room(self, shape: Any) -> int:
        """The address of room for float32 numbers of a shape."""
        return self._watched.room(shape)

    def wait(self, stream: int) -> None:
        """Until all that was begun in a stream is done."""
        self._watched.wait(stream)

    def download(self, address: int, shape: Any) -> np.ndarray:
        """The float32 numbers at an address. Raises: ValueError where none lie."""
        return self._watched.download(address, shape)

    def tries(self, build: Build, load: Load) -> tuple[int, int]:
        """(found, proof): the first fault, and 0; or 0, and a number made of all results.

        Raises: what the answer does.
        """
        try:
            with self._watched.watching():
                return int(Found.FINE), self._tried(build, load)
        except Stopped as stopped:
            return int(stopped.found), 0

    # what the judge asks

    def proof(self) -> int:
        """The number made of the right results."""
        return sum(proof_of(self._first.run(x)) for x in self._requests)

    def _tried(self, build: Build, load: Load) -> int:
        """The proof of the results. Raises: Stopped, and what the answer does."""
        plan = self._built(build)
        run = load(plan)
        proof = sum(self._right(run, x, first=i == 0) for i, x in enumerate(self._requests))
        need(self._watched.contexts == 1, Found.CONTEXT_EACH_RUN)
        outside = np.ones((LARGEST + 1, self._requests[0].shape[1]), np.float32)
        need(told(lambda: run(outside), str(LARGEST + 1)), Found.OUTSIDE_TAKEN)
        self._beside(build, load, run)
        need(self._watched.builds == 2, Found.BUILT_AGAIN)
        self._refused(build, load, plan)
        return proof

    def _built(self, build: Build) -> bytes:
        """The plan of the first file. Raises: Stopped, and what the answer does."""
        import minitrt as trt

        try:
            plan = build(file_of(self._first), shapes_of(self._first))
        except Exception:
            need("profile 0 does not say" not in self.said(), Found.NO_PROFILE)
            raise
        need(isinstance(plan, bytes | bytearray | memoryview), Found.NO_PLAN)
        engine = trt.Runtime(self.logger).deserialize_cuda_engine(bytes(plan))
        need(engine is not None, Found.NO_PLAN)
        has = [tuple(shape) for shape in engine.get_tensor_profile_shape(self._first.x, 0)]
        need(has == list(shapes_of(self._first)), Found.OTHER_PROFILE)
        return bytes(plan)

    def _right(self, run: Callable, x: np.ndarray, first: bool) -> int:
        """The proof of a right result. Raises: Stopped, and what the answer does at the first shape."""
        try:
            result = run(x.copy())
        except Exception:
            need(first, Found.FIRST_SHAPE_ALONE)
            raise
        need(
            bool(self._watched.began) and self._watched.began[-1], Found.NOT_BEGUN if first else Found.FIRST_SHAPE_ALONE
        )
        need(self._watched.streams[-1] == STREAM, Found.OTHER_STREAM)
        need(not self._watched.early, Found.NOT_WAITED_FOR)
        wanted = self._first.run(x)
        same = np.shape(result) == wanted.shape and np.array_equal(result, wanted)
        need(same, Found.WRONG_RESULT if first else Found.FIRST_SHAPE_ALONE)
        return proof_of(wanted)

    def _beside(self, build: Build, load: Load, run: Callable) -> None:
        """A second engine, of tensors of other names, beside the first. Raises: Stopped."""
        try:
            other = load(build(file_of(self._second), shapes_of(self._second)))
            right = np.array_equal(other(self._others), self._second.run(self._others))
        except Exception:
            right = False
        need(right, Found.NAMES_TAKEN)
        try:
            still = np.array_equal(run(self._requests[0]), self._first.run(self._requests[0]))
        except Exception:
            still = False
        need(still, Found.ENGINES_MIXED)

    def _refused(self, build: Build, load: Load, plan: bytes) -> None:
        """What cannot be: a file of unknown operators, a profile of other sizes, a damaged plan. Raises: Stopped."""
        network = self._first
        unknown = file_of(SmallNetwork(network.weights, network.bias, operators=("Relu", *UNKNOWN)))
        words = words_of(lambda: build(unknown, shapes_of(network)))
        need(UNKNOWN[0] in words or UNKNOWN[1] in words, Found.ERRORS_SWALLOWED)
        need(all(one in words for one in UNKNOWN), Found.FIRST_ERROR_ALONE)
        wide = tuple((rows, columns + 1) for rows, columns in shapes_of(network))
        need(told(lambda: build(file_of(network), wide), "fixed sizes"), Found.BUILD_NOT_TOLD)
        need(told(lambda: load(plan[:-9]), "damaged"), Found.DAMAGE_NOT_TOLD)


def drawn(rng: np.random.Generator, n_in: int, n_out: int, x: str = "x", y: str = "y") -> SmallNetwork:
    """A network of small whole numbers."""
    weights, bias = rng.integers(-3, 4, (n_in, n_out)), rng.integers(-9, 10, n_out)
    return SmallNetwork(weights.astype(np.float32), bias.astype(np.float32), x, y)


def shapes_of(network: SmallNetwork) -> tuple:
    """min, opt and max of its input."""
    return tuple((rows, len(network.weights)) for rows in (SMALLEST, LIKELY, LARGEST))


def words_of(call: Callable[[], Any]) -> str:
    """What a ValueError says; "" where none is raised."""
    try:
        call()
    except ValueError as error:
        return str(error)
    except Exception:
        return ""
    return ""


def told(call: Callable[[], Any], word: str) -> bool:
    """Whether it is refused with a ValueError that has this word."""
    return word in words_of(call)


def need(so: bool, found: Found) -> None:
    """Raises Stopped where something is not so."""
    if not so:
        raise Stopped(found)


def proof_of(result: np.ndarray) -> int:
    """A number made of all results and of their places."""
    whole = np.rint(result.ravel()).astype(np.int64)
    return int((whole * (1 + np.arange(whole.size) % 97)).sum())
