"""Layers with a window: convolution, deconvolution, pooling, local response, padding."""

from __future__ import annotations

import numpy as np

from minitrt.api.dims import Dims, volume
from minitrt.api.enums import LayerType, PaddingMode, PoolingType
from minitrt.api.weights import as_array, flat
from minitrt.graph.ir import Op, Value
from minitrt.network.layer import ILayer, Param, dims_or_none
from minitrt.shapes.inference import infer
from minitrt.shapes.settling import settle

SAME = {PaddingMode.SAME_UPPER: "same_upper", PaddingMode.SAME_LOWER: "same_lower"}


class Windowed(ILayer):
    """What windows share: stride, padding on either side, how the padding is chosen."""

    stride_nd = Param(None, dims_or_none)
    pre_padding = Param(None, dims_or_none)
    post_padding = Param(None, dims_or_none)
    padding_mode = Param(PaddingMode.EXPLICIT_ROUND_DOWN)

    def _default(self, name: str, window: Dims, value: int) -> Dims:
        return self._params.get(name) or Dims([value] * len(window))

    @property
    def padding_nd(self) -> Dims:
        return self.pre_padding

    @padding_nd.setter
    def padding_nd(self, padding) -> None:
        self.pre_padding = self.post_padding = padding

    def _window(self, window: Dims) -> dict:
        """The attributes of the operation."""
        attrs = {
            "kernel": list(window),
            "stride": list(self._default("stride_nd", window, 1)),
            "pads_before": list(self._default("pre_padding", window, 0)),
            "pads_after": list(self._default("post_padding", window, 0)),
        }
        if self.padding_mode in SAME:
            attrs["auto_pad"] = SAME[self.padding_mode]
        return attrs


class Convolving(Windowed):
    """What convolution and deconvolution share."""

    num_output_maps = Param(0, int)
    num_groups = Param(1, int)
    kernel_size_nd = Param(None, dims_or_none)
    dilation_nd = Param(None, dims_or_none)

    @property
    def kernel(self) -> np.ndarray:
        return flat(self._params.get("kernel"))

    @kernel.setter
    def kernel(self, weights) -> None:
        self._params["kernel"] = as_array(weights)
        self._network._changed(self)

    @property
    def bias(self) -> np.ndarray:
        return flat(self._params.get("bias"))

    @bias.setter
    def bias(self, weights) -> None:
        self._params["bias"] = as_array(weights)
        self._network._changed(self)

    def _convolution(self, kind: str, ins: list[Value | None], outs: list[Value]) -> list[Op]:
        x, *given = [*ins, None, None]
        window = self.kernel_size_nd
        weights = given[0] if given[0] is not None else self._weights(kind, window)
        bias = given[1] if given[1] is not None else self._constant(self._params.get("bias"), "BIAS")
        dilations = list(self._default("dilation_nd", window, 1))
        attrs = {**self._window(window), "groups": self.num_groups, "dilations": dilations}
        extra = len(x.shape) - len(window) - 2
        if extra > 0:
            return self._with_more_batches(extra, self._op(kind, [x, weights, bias, None], outs, **attrs))
        return [self._op(kind, [x, weights, bias, None], outs, **attrs)]

    def _with_more_batches(self, extra: int, op: Op) -> list[Op]:
        """A window over the last axes of more axes than it has: those before the channels are all batches.

        Raises: ValueError where such axes are open, and not of size one.
        """
        x, out = op.inputs[0], op.output
        inner = x.like(f"{out.name}/batches", shape=None)
        made = out.like(f"{out.name}/windows", shape=None)
        op.inputs[0], op.outputs = inner, [made]
        if x.shape[:extra] == (1,) * extra:
            first, last = dict(squeeze=list(range(extra))), dict(unsqueeze=list(range(extra)))
        elif -1 not in x.shape:
            flat = (volume(x.shape[: extra + 1]), *x.shape[extra + 1 :])
            concrete = Op(op.kind, op.name, [x.like(inner.name, shape=flat), *op.inputs[1:]], [made], op.attrs)
            space = infer(settle(concrete))[0][0][1:]
            first, last = dict(shape=list(flat)), dict(shape=[*x.shape[: extra + 1], *space])
        else:
            raise ValueError(
                f"{self.name}: of {x.shape}, the axes before the channels must be known. Reshape the input."
            )
        return [self._op("shuffle", [x], [inner], **first), op, self._op("shuffle", [made], [out], **last)]

    def _weights(self, kind: str, window: Dims) -> Value | None:
        """The kernel as a constant: (K, C/groups, *window), or (C, K/groups, *window) of a deconvolution."""
        kernel = self._params.get("kernel")
        if kernel is None:
            return None
        rows = self.num_output_maps // self.num_groups if kind == "deconv" else self.num_output_maps
        columns, rest = divmod(kernel.size, rows * volume(window))
        if rest or not columns:
            raise ValueError(
                f"{self.name}: {kernel.size} weights do not go into {rows} maps of windows {tuple(window)}"
            )
        shape = (columns, rows) if kind == "deconv" else (rows, columns)
        return self._constant(kernel.reshape(*shape, *window), "KERNEL", named=kernel)


class IConvolutionLayer(Convolving):
    """Convolution. Inputs: x, and optionally kernel and bias as tensors (set_input 1 and 2)."""

    LAYER_TYPE = LayerType.CONVOLUTION

    def _ops(self, ins, outs):
        return self._convolution("conv", ins, outs)


class IDeconvolutionLayer(Convolving):
    """Transposed convolution; padding is cut off the result."""

    LAYER_TYPE = LayerType.DECONVOLUTION

    def _ops(self, ins, outs):
        ops = self._convolution("deconv", ins, outs)
        ops[0].attrs |= self._params.get("more", {})
        return ops


class IPoolingLayer(Windowed):
    """Maximum, average or a blend of both over windows."""

    LAYER_TYPE = LayerType.POOLING
    type = Param(PoolingType.MAX)
    window_size_nd = Param(None, dims_or_none)
    blend_factor = Param(0.0, float)
    average_count_excludes_padding = Param(True, bool)

    def _ops(self, ins, outs):
        kind = self.type
        attrs = self._window(self.window_size_nd)
        attrs["mode"] = {"MAX": "max", "AVERAGE": "average", "MAX_AVERAGE_BLEND": "blend"}[kind.name]
        attrs["count_include_pad"] = not self.average_count_excludes_padding
        attrs["ceil_mode"] = self.padding_mode == PaddingMode.EXPLICIT_ROUND_UP
        if kind == PoolingType.MAX_AVERAGE_BLEND:
            attrs["blend"] = self.blend_factor
        return [self._op("pool", ins[:1], outs, **attrs)]


class ILRNLayer(ILayer):
    """Local response normalisation across channels."""

    LAYER_TYPE = LayerType.LRN
    window_size = Param(1, int)
    alpha = Param(1.0, float)
    beta = Param(1.0, float)
    k = Param(1.0, float)

    def _ops(self, ins, outs):
        return [self._op("lrn", ins, outs, size=self.window_size, alpha=self.alpha, beta=self.beta, k=self.k)]


class IPaddingLayer(ILayer):
    """Zeros around the last axes, or fewer elements where a padding is negative."""

    LAYER_TYPE = LayerType.PADDING
    pre_padding_nd = Param(None, dims_or_none)
    post_padding_nd = Param(None, dims_or_none)

    def _ops(self, ins, outs):
        before, after = list(self.pre_padding_nd), list(self.post_padding_nd)
        rest = [0] * (len(ins[0].shape) - len(before))
        return [self._op("pad", ins, outs, before=rest + before, after=rest + after)]
