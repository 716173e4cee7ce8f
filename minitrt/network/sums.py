"""Layers that sum over axes: matrix products, reductions, softmax, normalisation, extremes."""

from __future__ import annotations

from minitrt.api.deprecation import removed_in_11
from minitrt.api.enums import DataType, LayerType, MatrixOperation, ReduceOperation, TopKOperation
from minitrt.network.layer import ILayer, Param, axes_of_mask, dynamic


class IMatrixMultiplyLayer(ILayer):
    """A product of matrices, or of a matrix and a vector; leading axes broadcast."""

    LAYER_TYPE = LayerType.MATRIX_MULTIPLY
    op0 = Param(MatrixOperation.NONE)
    op1 = Param(MatrixOperation.NONE)

    def _ops(self, ins, outs):
        left, right = self.op0, self.op1
        attrs = {
            "transpose_a": left == MatrixOperation.TRANSPOSE,
            "transpose_b": right == MatrixOperation.TRANSPOSE,
            "alpha": self._params.get("alpha", 1.0),
        }
        if MatrixOperation.VECTOR not in (left, right) or max(len(v.shape) for v in ins) == 1:
            return [self._op("gemm", [*ins, None, None], outs, **attrs)]
        return self._with_vectors(ins, outs, left, right, attrs)

    def _with_vectors(self, ins, outs, left, right, attrs):
        """Batches of vectors: as matrices of one row or column, which the result loses again."""
        ops, sides, gone = [], [], []
        for value, kind, place in ((ins[0], left, -2), (ins[1], right, -1)):
            if kind == MatrixOperation.VECTOR:
                wide = value.like(f"{outs[0].name}/matrix{place}", shape=None)
                ops.append(self._op("shuffle", [value], [wide], unsqueeze=[place]))
                gone.append(place)
                value = wide
            sides.append(value)
        product = outs[0].like(f"{outs[0].name}/product", shape=None)
        ops.append(self._op("gemm", [*sides, None, None], [product], **attrs))
        ops.append(self._op("shuffle", [product], outs, squeeze=gone))
        return ops


class IReduceLayer(ILayer):
    """A reduction over the axes of a bit mask."""

    LAYER_TYPE = LayerType.REDUCE
    op = Param(ReduceOperation.SUM)
    axes = Param(0, int)
    keep_dims = Param(False, bool)

    def _ops(self, ins, outs):
        attrs = dict(op=self.op.name.lower(), axes=axes_of_mask(self.axes), keep_dims=self.keep_dims)
        return [self._op("reduce", ins, outs, **attrs)]


class ISoftMaxLayer(ILayer):
    """Softmax over one axis, a bit mask; by default the one third from the last, or the first."""

    LAYER_TYPE = LayerType.SOFTMAX
    axes = Param(None, int)

    def _ops(self, ins, outs):
        axes = axes_of_mask(self.axes) if self.axes is not None else [max(0, len(ins[0].shape) - 3)]
        return [self._op("softmax", ins, outs, axes=axes)]


class ITopKLayer(ILayer):
    """The k largest or smallest along one axis, and where they are. Input 1 may give k."""

    LAYER_TYPE = LayerType.TOPK
    op = Param(TopKOperation.MAX)
    k = Param(1, int)
    axes = Param(0, int)
    indices_type = Param(DataType.INT32)

    def _ops(self, ins, outs):
        attrs = dict(axis=axes_of_mask(self.axes)[0], largest=self.op == TopKOperation.MAX, k=self.k)
        wide = outs[1].like(outs[1].name + "/int64", dtype=DataType.INT64)
        outs[1].dtype = self.indices_type
        found = self._op("topk", ins, [outs[0], wide], **dynamic(attrs, k=(1, ins[1] if len(ins) > 1 else None)))
        narrow = self._op("pointwise", [wide], outs[1:], program=[["cast", ["x0"], outs[1].dtype.name]])
        return [found, narrow]


class ICumulativeLayer(ILayer):
    """Running sums along an axis that input 1, a constant, names."""

    LAYER_TYPE = LayerType.CUMULATIVE
    op = Param(None)
    exclusive = Param(False, bool)
    reverse = Param(False, bool)

    def _ops(self, ins, outs):
        attrs = dict(op="sum", exclusive=self.exclusive, reverse=self.reverse)
        return [self._op("cumulative", ins, outs, **dynamic(attrs, axis=(1, ins[1])))]


class INormalizationLayer(ILayer):
    """(x - mean) / deviation * scale + bias over the axes of a bit mask; groups split axis 1 first."""

    LAYER_TYPE = LayerType.NORMALIZATION
    epsilon = Param(1e-5, float)
    axes = Param(0, int)
    num_groups = Param(1, int)
    _v2 = Param(False)

    @property
    def _title(self) -> str:
        return "NormalizationV2" if self._params.get("_v2") else "Normalization"

    @property
    def is_v2(self) -> bool:
        """Whether add_normalization_v2 made it; both compute the same."""
        return self._v2

    @property
    def compute_precision(self) -> DataType:
        removed_in_11("INormalizationLayer.compute_precision", "the statistics are computed in float32")
        return self._params.get("compute_precision", DataType.FLOAT)

    @compute_precision.setter
    def compute_precision(self, dtype: DataType) -> None:
        removed_in_11("INormalizationLayer.compute_precision", "the statistics are computed in float32")
        self._params["compute_precision"] = dtype

    def _ops(self, ins, outs):
        attrs = dict(axes=axes_of_mask(self.axes), epsilon=self.epsilon, groups=self.num_groups)
        attrs |= self._params.get("more", {})
        return [self._op("norm", ins, outs, **attrs)]


class IEinsumLayer(ILayer):
    """A sum of products in Einstein's notation."""

    LAYER_TYPE = LayerType.EINSUM
    equation = Param("", str)

    def _ops(self, ins, outs):
        return [self._op("einsum", ins, outs, equation=self.equation)]
