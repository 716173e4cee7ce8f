"""The layer that makes elements of nothing: an even rise, or random numbers."""

from __future__ import annotations

from numbers import Real
from typing import Any

from minitrt.api.enums import DataType, FillOperation, LayerType
from minitrt.graph.ir import Op, Value
from minitrt.network.layer import ILayer, Param, dims_or_none, dynamic
from minitrt.network.shaping import ints


class Number(Param):
    """alpha or beta. What is no number is ignored, as TensorRT does, and said."""

    def __set__(self, layer: ILayer, value: Any) -> None:
        if isinstance(value, Real):
            super().__set__(layer, value)
        else:
            layer._network._report.warning(f"{layer.name}: {self.name} must be a number; {value!r} is not used")


class IFillLayer(ILayer):
    """A new tensor: alpha + beta * index (LINSPACE), numbers from alpha to beta (RANDOM_UNIFORM), or of mean alpha and
    deviation beta (RANDOM_NORMAL). Inputs may give the shape (0), alpha (1), and beta (2), of LINSPACE one an axis."""

    LAYER_TYPE = LayerType.FILL
    shape = Param(None, dims_or_none)
    operation = Param(FillOperation.LINSPACE)
    alpha = Number(0)
    beta = Number(1)
    to_type = Param(DataType.FLOAT)

    def is_alpha_beta_int64(self) -> bool:
        """Whether alpha and beta were given as whole numbers."""
        return "alpha" in self._params and isinstance(self.alpha, int) and isinstance(self.beta, int)

    def _ops(self, ins, outs):
        sizes, alpha, beta = [*ins, None, None, None][:3]
        outs[0].dtype = self.to_type
        if alpha is None and beta is None:
            return [self._fill(sizes, outs[0], self.operation, self.alpha, self.beta)]
        if self.operation == FillOperation.LINSPACE:
            return self._rising(sizes, alpha, beta, outs[0])
        return self._drawn(sizes, alpha, beta, outs[0])

    def _fill(self, sizes: Value | None, out: Value, how: FillOperation, alpha: Any, beta: Any) -> Op:
        attrs = dict(op=how.name.lower(), alpha=alpha, beta=beta)
        if self.shape is not None:
            attrs["shape"] = ints(self.shape)
        return self._op("fill", [sizes] if sizes else [], [out], **dynamic(attrs, shape=(0, sizes)))

    def _rising(self, sizes: Value | None, alpha: Value | None, beta: Value | None, out: Value) -> list[Op]:
        """alpha + the sum of beta[axis] * index: a tensor of indices for each axis, and one program."""
        rank, kind = sizes.shape[0] if sizes is not None else len(self.shape), out.dtype.name
        operands: list[Value] = [alpha] if alpha is not None else []
        total: Any = "x0" if alpha is not None else self.alpha
        ops, program = [], []
        for axis in range(rank if beta is not None and beta.shape else 1):
            index = out.like(f"{out.name}/index{axis}", shape=None)
            along = [int(axis == other) for other in range(rank)]
            ops.append(self._fill(sizes, index, FillOperation.LINSPACE, 0, along))
            operands.append(index)
            factor: Any = self.beta
            if beta is not None:
                step = beta
                if beta.shape:
                    step = beta.like(f"{out.name}/step{axis}", shape=None)
                    taken = dict(starts=[axis], sizes=[1], strides=[1], mode="default")
                    ops.append(self._op("slice", [beta], [step], **taken))
                operands.append(step)
                factor = f"x{len(operands) - 1}"
            place = f"x{operands.index(index)}"
            program += [["mul", [place, factor], kind], ["add", [total, f"t{len(program)}"], kind]]
            total = f"t{len(program) - 1}"
        return [*ops, self._op("pointwise", operands, [out], program=program)]

    def _drawn(self, sizes: Value | None, alpha: Value | None, beta: Value | None, out: Value) -> list[Op]:
        """Numbers from 0 to 1, or of mean 0 and deviation 1, scaled and moved."""
        drawn, kind = out.like(f"{out.name}/drawn", shape=None), out.dtype.name
        operands: list[Value] = [drawn]
        names: list[Any] = []
        for value, number in ((alpha, self.alpha), (beta, self.beta)):
            operands += [] if value is None else [value]
            names.append(number if value is None else f"x{len(operands) - 1}")
        low, high = names
        uniform = self.operation == FillOperation.RANDOM_UNIFORM
        program = [["sub", [high, low], kind], ["mul", ["x0", "t0"], kind], ["add", ["t1", low], kind]]
        program = program if uniform else [["mul", ["x0", high], kind], ["add", ["t0", low], kind]]
        made = self._fill(sizes, drawn, self.operation, 0, 1)
        return [made, self._op("pointwise", operands, [out], program=program)]
