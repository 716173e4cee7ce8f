"""The engine's side of unit 19's threshold_plugin: it finds a creator by its key, asks its plugin all that a builder
asks, keeps it in a plan, makes it again of that, and runs it on shapes of a profile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from typing import Any

import numpy as np

from autograder.exercises.u19_engine_runtime.layer.network import KEY, Engine, file_of
from autograder.exercises.u19_engine_runtime.layer.questions import combinations, described, only

THREADS = 1024  # of a block, at most
FIELD = "thresholds"


class Objection(IntEnum):
    """What went wrong first; FINE for nothing."""

    FINE = 0
    NOT_FOUND = 1
    NO_FIELD_NAMES = 2
    OTHER_KEY = 3
    OTHER_TYPE = 4
    OTHER_SHAPE = 5
    TAKES_ANY_TYPE = 6
    TAKES_ANY_LAYOUT = 7
    TAKES_NOTHING = 8
    LOSES_FIELDS = 9
    SHARES_NUMBERS = 10
    NO_CLONE = 11
    BEYOND = 12
    LEAVES_OUT = 13
    FIRST_SHAPE_ALONE = 14
    WRONG_RESULT = 15


class Refused(Exception):
    """The engine stops with a fault."""

    def __init__(self, fault: Objection) -> None:
        self.fault = fault
        super().__init__(fault.name)


class JudgedPlugins:
    """seed: of thresholds and inputs; n_channels: of the layer."""

    def __init__(self, seed: int, n_channels: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._thresholds = self._rng.uniform(0.2, 3, n_channels).astype(np.float32)
        shapes = ((2, 9, 5), (1, 1, 1), (3, 4, 11), (1, 33, 2), (2, 9, 5))  # images, rows, columns
        self._inputs = [self._rng.uniform(-5, 5, (n, n_channels, *size)).astype(np.float32) for n, *size in shapes]
        self._numbers_at: dict[int, int] = {}  # address -> how many, while a plugin runs
        self._problem: Exception | None = None  # that it raised then

    @classmethod
    def of(cls, table: np.ndarray) -> JudgedPlugins:
        """One by its numbers. table: (2,) int64, seed and channels."""
        return cls(*table.tolist())

    # what an answer asks

    def array(self, address: int, shape: Sequence[int]) -> np.ndarray:
        """The float32 numbers at an address, as an array of a shape: writing to it writes there.

        Raises: ValueError for an address at which no tensor of this run begins.
        """
        from minitrt.runtime.host import array_at

        sizes = tuple(int(n) for n in np.atleast_1d(shape))
        if address not in self._numbers_at:
            raise ValueError(f"no tensor begins at address {address}: enqueue is given the addresses of this run")
        if min(sizes) < 0 or np.prod(sizes) > self._numbers_at[address]:
            raise Refused(Objection.BEYOND)
        return array_at(address, sizes, np.dtype(np.float32))

    def launch(self, grid: Any, block: Any, x: np.ndarray, thresholds: np.ndarray, dst: np.ndarray) -> None:
        """soft_threshold, as the rung before has it: x along the pixels, y down the rows.

        Raises: ValueError for a launch that no GPU takes, and for arrays that the kernel does not.
        """
        (blocks_x, blocks_y), (wide, high) = two(grid), two(block)
        if min(blocks_x, blocks_y, wide, high) < 1 or wide * high > THREADS:
            raise ValueError(f"no GPU launches a grid of {grid} blocks of {block} threads")
        if x.ndim != 2 or dst.shape != x.shape or thresholds.ndim != 1:
            raise ValueError(
                "soft_threshold takes x and dst of one shape, (rows, pixels), and thresholds of (channels,); "
                f"got {x.shape}, {dst.shape} and {thresholds.shape}"
            )
        rows, pixels = min(len(x), blocks_y * high), min(x.shape[1], blocks_x * wide)
        t = thresholds[np.arange(rows) % thresholds.size, None]
        there = x[:rows, :pixels]
        dst[:rows, :pixels] = np.maximum(there - t, 0) + np.minimum(there + t, 0)

    def tries(self, creator: Any) -> tuple[int, int]:
        """(fault, proof): the first fault, and 0; or 0, and a number made of all results.

        Raises: what the answer does.
        """
        try:
            return int(Objection.FINE), self._tried(creator)
        except Refused as failed:
            return int(failed.fault), 0

    # what the judge asks

    def proof(self) -> int:
        """The number made of the right results."""
        return sum(proof_of(softened(x, self._thresholds)) for x in self._inputs)

    def _tried(self, creator: Any) -> int:
        """The proof of the results. Raises: Refused."""
        import minitrt as trt
        from autograder.exercises.u19_engine_runtime.layer.watched import WatchedCreator

        watched = WatchedCreator(creator, self._memory)
        with only(watched, trt):
            need(trt.get_plugin_registry().get_creator(*KEY) is watched, Objection.NOT_FOUND)
            named = {field.name: field.type for field in creator.field_names or ()}
            need(named.get(FIELD) == trt.PluginFieldType.FLOAT32, Objection.NO_FIELD_NAMES)
            plugin = self._made(watched, self._thresholds)
            core = plugin.get_capability_interface(trt.PluginCapabilityType.CORE)
            need((core.plugin_name, core.plugin_version, core.plugin_namespace) == KEY, Objection.OTHER_KEY)
            self._asked_by_builder(plugin, trt)
            self._asked_to_keep(creator)
            self._enqueued(plugin, trt)
            engine = Engine(file_of(self._thresholds), watched, self._thresholds)
            return sum(self._right(engine, x, first=i == 0) for i, x in enumerate(self._inputs))

    @contextmanager
    def _memory(self, numbers_at: dict[int, int]) -> Iterator[None]:
        """While a plugin runs, this memory is there, and what it raises is kept."""
        self._numbers_at, self._problem = numbers_at, None
        try:
            yield
        except Exception as error:
            self._problem = error
            raise
        finally:
            self._numbers_at = {}

    def _made(self, creator: Any, thresholds: np.ndarray) -> Any:
        """A plugin of these thresholds."""
        import minitrt as trt

        field = trt.PluginField(FIELD, thresholds.copy(), trt.PluginFieldType.FLOAT32)
        return creator.create_plugin("denoise", trt.PluginFieldCollection([field]), trt.TensorRTPhase.BUILD)

    def _asked_by_builder(self, plugin: Any, trt: Any) -> None:
        """Type, shape and what it takes. Raises: Refused."""
        from minitrt.plugins.exprs import IExprBuilder, sizes_of

        build = plugin.get_capability_interface(trt.PluginCapabilityType.BUILD)
        need(list(build.get_output_data_types([trt.float32])) == [trt.float32], Objection.OTHER_TYPE)
        for shape in ((-1, self._thresholds.size, -1, -1), (2, self._thresholds.size, 7, 3)):
            asked = sizes_of(shape, 0)
            given = build.get_output_shapes([asked], [], IExprBuilder())
            given = list(given if isinstance(given, list | tuple) else [given])
            need([one.trees for one in given] == [asked.trees], Objection.OTHER_SHAPE)
        for types, layouts in combinations(trt):
            fits = set(types) == {trt.float32} and set(layouts) == {trt.TensorFormat.LINEAR}
            said = all(build.supports_format_combination(i, described(trt, types, layouts), 1) for i in range(2))
            if said != fits:
                of_type = Objection.TAKES_ANY_TYPE if set(types) != {trt.float32} else Objection.TAKES_ANY_LAYOUT
                raise Refused(Objection.TAKES_NOTHING if fits else of_type)

    def _asked_to_keep(self, creator: Any) -> None:
        """A plugin's fields, beside another one's, and a clone's. Raises: Refused."""
        plugin = self._made(creator, self._thresholds)
        need(kept(plugin) == self._thresholds.tolist(), Objection.LOSES_FIELDS)
        self._made(creator, self._thresholds[::-1] + 1)
        need(kept(plugin) == self._thresholds.tolist(), Objection.SHARES_NUMBERS)
        clone = plugin.clone()
        need(clone is not None and clone is not plugin and kept(clone) == self._thresholds.tolist(), Objection.NO_CLONE)

    def _enqueued(self, plugin: Any, trt: Any) -> None:
        """By hand, one object at all shapes: a run that an engine makes may have an object of its own.

        Raises: Refused, and what enqueue does.
        """
        runtime = plugin.get_capability_interface(trt.PluginCapabilityType.RUNTIME)
        for i, x in enumerate(self._inputs):
            dst, of = np.full_like(x, np.nan), [trt.PluginTensorDesc(x.shape, trt.float32)]
            runtime.on_shape_change(of, of)
            try:
                runtime.enqueue(of, of, [x.ctypes.data], [dst.ctypes.data], 0, 0)
            except Refused:
                raise Refused(Objection.FIRST_SHAPE_ALONE if i else Objection.BEYOND) from None
            if not np.array_equal(dst, softened(x, self._thresholds)):
                unwritten = Objection.LEAVES_OUT if np.isnan(dst).any() else Objection.WRONG_RESULT
                raise Refused(Objection.FIRST_SHAPE_ALONE if i else unwritten)

    def _right(self, engine: Engine, x: np.ndarray, first: bool) -> int:
        """The proof of a result. Raises: Refused, and what the plugin does."""
        wanted = softened(x, self._thresholds)
        try:
            result = engine.run(x)
        except RuntimeError as error:
            if isinstance(self._problem, Refused) and not first:
                raise Refused(Objection.FIRST_SHAPE_ALONE) from None
            raise (self._problem or error) from None
        if result.shape != wanted.shape or not np.array_equal(result, wanted):
            raise Refused(Objection.WRONG_RESULT if first else Objection.FIRST_SHAPE_ALONE)
        return proof_of(result)


def need(so: bool, fault: Objection) -> None:
    """Raises Refused where something is not so."""
    if not so:
        raise Refused(fault)


def two(sizes: Any) -> tuple[int, int]:
    """Grid or block as (x, y)."""
    x, y = (*((sizes,) if np.ndim(sizes) == 0 else tuple(sizes)), 1)[:2]
    return int(x), int(y)


def softened(x: np.ndarray, thresholds: np.ndarray) -> np.ndarray:
    """What the layer gives. x: (images, channels, rows, columns)."""
    t = thresholds[:, None, None]
    return np.maximum(x - t, 0) + np.minimum(x + t, 0)


def proof_of(result: np.ndarray) -> int:
    """A number made of all results and of their places."""
    steps = np.rint(result.ravel() * 1024).astype(np.int64)
    return int((steps * (1 + np.arange(steps.size) % 8191)).sum() % 1_000_003) + 1


def kept(plugin: Any) -> list[float]:
    """The thresholds that a plan would keep; nothing where it keeps none, or something else."""
    import minitrt as trt

    runtime = plugin.get_capability_interface(trt.PluginCapabilityType.RUNTIME)
    fields = {field.name: field for field in runtime.get_fields_to_serialize() or ()}
    data = fields[FIELD].data if set(fields) == {FIELD} else None
    return [] if data is None or data.dtype != np.float32 else data.tolist()
