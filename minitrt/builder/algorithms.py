"""The algorithm selector, gone in TensorRT 11: the user picks among the tactics of each layer."""

from __future__ import annotations

import math
from collections.abc import Mapping

from minitrt.api.dims import Dims
from minitrt.graph.ir import NUMPY_TYPES, Graph, Op, Value
from minitrt.tactics.contract import Tactic


class IAlgorithmIOInfo:
    """A tensor of an algorithm."""

    def __init__(self, value: Value, layout: str):
        stored = value.like(value.name, layout=layout)
        shape = stored.stored_shape
        self.dtype = value.dtype
        self.strides = Dims([math.prod(shape[axis + 1 :]) for axis in range(len(shape))])
        self.vectorized_dim = -1 if layout == "linear" else 1
        self.components_per_element = 1 if layout == "linear" else 16
        self.bytes_per_element = NUMPY_TYPES[value.dtype].itemsize


class IAlgorithmVariant:
    """Which algorithm: numbers that stay the same from build to build."""

    def __init__(self, tactic: Tactic):
        self.implementation, self.tactic = tactic.id & 0x7FFFFFFF, tactic.id


class IAlgorithmContext:
    """The layer that an algorithm is chosen for."""

    def __init__(self, op: Op):
        self._op, self.name = op, op.name
        self._tensors = [value for value in op.present if not value.is_constant] + op.outputs
        self.num_outputs = len(op.outputs)
        self.num_inputs = len(self._tensors) - self.num_outputs

    def get_shape(self, index: int) -> list[Dims]:
        """[min, opt, max] of a tensor, inputs first; tuning knows the optimum alone."""
        return [Dims(self._tensors[index].shape)] * 3 if 0 <= index < len(self._tensors) else []


class IAlgorithm:
    """One way to run a layer."""

    def __init__(self, op: Op, tactic: Tactic, time_us: float):
        inputs = [(v, layout) for v, layout in zip(op.inputs, tactic.inputs, strict=False) if v and not v.is_constant]
        pairs = [*inputs, *zip(op.outputs, tactic.outputs, strict=False)]
        self._infos = [IAlgorithmIOInfo(value, layout) for value, layout in pairs]
        self.algorithm_variant = IAlgorithmVariant(tactic)
        self.timing_msec, self.workspace_size = time_us / 1000, tactic.workspace_bytes

    def get_algorithm_io_info(self, index: int) -> IAlgorithmIOInfo | None:
        return self._infos[index] if 0 <= index < len(self._infos) else None


class IAlgorithmSelector:
    """Override select_algorithms, which returns the indices of choices to keep, and report_algorithms."""

    def select_algorithms(self, context: IAlgorithmContext, choices: list[IAlgorithm]) -> list[int]:
        return list(range(len(choices)))

    def report_algorithms(self, contexts: list[IAlgorithmContext], choices: list[IAlgorithm]) -> None:
        pass


def report_algorithms(
    selector: IAlgorithmSelector | None, graph: Graph, chosen: Mapping[str, tuple[float, Tactic]]
) -> None:
    """Tell the selector, if there is one, what was taken in the end. chosen: operation's name -> time and tactic."""
    if selector is not None:
        ops = [op for op in graph.ops if op.name in chosen]
        algorithms = [IAlgorithm(op, chosen[op.name][1], chosen[op.name][0]) for op in ops]
        selector.report_algorithms([IAlgorithmContext(op) for op in ops], algorithms)
