"""The engine of unit 19's own_convolution: minitrt, a small network, and a learner's functions as a tactic of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np

from autograder.exercises.u18_engine_kernels.values import DEEP, cells_of
from autograder.exercises.u19_engine_runtime.own.kernel import layer_one_each
from autograder.exercises.u19_engine_runtime.own.layers import STEP, Layer, Network, feeds_of, layers_of
from autograder.exercises.u19_engine_runtime.own.tactic import ARGUMENTS, LineTactic, channel_blocks

NUMBERED = re.compile(r"\blayer(\d+)\b")
THREADS = (32, 8)  # along the channels, and along the cells


class JudgedEngine:
    """An engine for some layers, built anew by every `tries`.

    seed: of weights and inputs. Its own kernels are those of the reference backend.
    """

    def __init__(self, seed: int, layers: Sequence[Layer]) -> None:
        self.layers, self._seed = tuple(layers), seed
        self.nothing = np.zeros((1, 1, DEEP), np.int8)
        self._heard: list[str] = []  # what the engine's logger was told

    @classmethod
    def of(cls, table: np.ndarray) -> JudgedEngine:
        """An engine by its numbers. table: int64, as `layers.table_of` makes it."""
        return cls(*layers_of(table))

    # what an answer asks

    def sizes(self, op: Any) -> Any:
        """The sizes of a convolution or a product, or None: `minitrt.tactics.geometry.Geometry`."""
        from minitrt.tactics.geometry import of

        return of(op)

    def epilogue(self, op: Any) -> Any:
        """The numbers of an epilogue, folded: `minitrt.graph.epilogue.Epilogue`."""
        from minitrt.graph.epilogue import folded

        return folded(op, op.output.shape[1])

    def input(self, i: int) -> Any:
        """Input i of an operation as a line."""
        from minitrt.tactics import In

        return In(i)

    def output(self) -> Any:
        """Its result as a line."""
        from minitrt.tactics import Out

        return Out(0)

    def tries(self, supports: Callable[[Any], bool], arguments: Callable[[Any], Sequence[Any]]) -> tuple:
        """(taken, proofs) of an engine that is built with these two functions as a tactic, and run.

        Raises: what they raise; ValueError for arguments that no conv_layer takes.
        """
        from minitrt import tactics

        mine = Judged(self, supports, arguments)
        with tactics.using(mine, only=True):
            engine = mine.problem_first(self._built)
            results = mine.problem_first(lambda: self._results(engine))
        taken = [int(i in mine.taken) for i in range(len(self.layers))]
        right = [took and layer.is_ours for took, layer in zip(taken, self.layers, strict=True)]
        return np.array(taken), np.array([proof_of(results.get(f"y{i}")) if one else 0 for i, one in enumerate(right)])

    # what the judge asks

    @cached_property
    def plain(self) -> Any:
        """The engine without anybody's tactic."""
        from minitrt import tactics

        with tactics.using():
            return self._built()

    def operations(self) -> dict[int, Any]:
        """The convolution of each layer, as the engine has it."""
        return {self.number_of(op): op for op in self.plain._plan.profiles[0].graph.ops if op.kind == "conv"}

    def proofs(self) -> list[int]:
        """What each layer's result makes, worked out by the engine itself."""
        results = self._results(self.plain)
        return [proof_of(results[f"y{i}"]) for i in range(len(self.layers))]

    def number_of(self, op: Any) -> int | None:
        """The layer that an operation is, or None."""
        found = NUMBERED.search(op.name) if op.kind == "conv" else None
        return int(found[1]) if found else None

    def _results(self, engine: Any) -> dict[str, np.ndarray]:
        """Outputs by name; none of them where a line's zero cells hold something else. Raises: RunError."""
        from minitrt.runtime.session import RunError, Session

        try:
            return Session(engine, SimpleNamespace(heard=self._heard)).run(feeds_of(self._seed, self.layers))
        except RunError:
            if not any("padding" in said for said in self._heard):
                raise
            return {}

    def _built(self) -> Any:
        """A loaded engine of the network. Raises: RuntimeError with what the logger heard."""
        import minitrt

        heard = self._heard = []
        logger = type("Heard", (minitrt.ILogger,), {"log": lambda self, severity, said: heard.append(said)})()
        builder = minitrt.Builder(logger)
        network = builder.create_network(1 << int(minitrt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        config = builder.create_builder_config()
        config.target = None
        adding = Network(network, np.random.default_rng(self._seed))
        for i, layer in enumerate(self.layers):
            adding.add(i, layer)
        data = builder.build_serialized_network(network, config)
        engine = minitrt.Runtime(logger).deserialize_cuda_engine(data) if data is not None else None
        if engine is None:
            raise RuntimeError(f"the engine was not built: {heard[-1] if heard else 'nobody knows why'}")
        return engine


class Judged(LineTactic):
    """An answer's functions as a tactic. taken: layers that it said yes to; problem: what it raised."""

    name = "own_convolution"

    def __init__(self, engine: JudgedEngine, supports: Callable, arguments: Callable) -> None:
        super().__init__(supports, arguments, layer_one_each)
        self.engine, self.taken = engine, set[int]()
        self.problem: BaseException | None = None

    def problem_first(self, work: Callable[[], Any]) -> Any:
        """What some work gives, or what the answer raised in it."""
        try:
            return work()
        except Exception as error:
            raise (self.problem or error) from None

    def supports(self, op: Any) -> bool:
        """What the answer says; of what its kernel cannot compute, that is noted, and the engine runs it."""
        said, number = self._noting(super().supports, op), self.engine.number_of(op)
        if not said:
            return False
        if number is None:
            self.problem = ValueError(f"supports said yes to an operation of kind {op.kind!r}, which is no convolution")
            raise self.problem
        self.taken.add(number)
        return self.engine.layers[number].is_ours

    def calls(self, op: Any) -> list:
        return self._noting(super().calls, op)

    def launch_of(self, op: Any) -> tuple:
        cells, out = cells_of(op.output.shape[0], *op.output.shape[2:]), DEEP * channel_blocks(op.output)
        return (-(-out // THREADS[0]), -(-cells // THREADS[1])), THREADS, 0

    def _noting(self, asked: Callable, op: Any) -> Any:
        try:
            return asked(op)
        except Exception as error:
            self.problem = error
            raise


def proof_of(result: np.ndarray | None) -> int:
    """A number made of all steps of a result and of their places, above 0; -1 where there is none."""
    if result is None:
        return -1
    steps = np.rint(result.ravel() / STEP["y"]).astype(np.int64)
    return int((steps * (1 + np.arange(steps.size) % 8191)).sum() % 1_000_003) + 1


__all__ = ["ARGUMENTS", "JudgedEngine"]
