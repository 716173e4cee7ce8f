"""Quantize and dequantize layers: the only ways into and out of INT8 in a strongly typed network."""

from __future__ import annotations

from minitrt.api.enums import DataType, LayerType
from minitrt.network.layer import ILayer, Param
from minitrt.network.only_default import OnlyDefault


class Quantising(ILayer):
    """Inputs: x and the scale, a constant: one number, or one a channel along `axis`."""

    axis = Param(None, int)
    block_shape = OnlyDefault(None, "a scale is one number, or one a channel along axis")
    to_type = Param(None)

    def _scaled(self, kind: str, default: DataType, ins, outs):
        wanted = self.to_type or default
        outs[0].dtype = wanted
        axis = self.axis if ins[1].data is None or ins[1].data.size > 1 else None
        return [self._op(kind, ins, outs, axis=axis, to=wanted.name)]


class IQuantizeLayer(Quantising):
    """saturate(rint(x / scale)), half to even."""

    LAYER_TYPE = LayerType.QUANTIZE

    def _ops(self, ins, outs):
        return self._scaled("quantize", DataType.INT8, ins, outs)


class IDequantizeLayer(Quantising):
    """x * scale."""

    LAYER_TYPE = LayerType.DEQUANTIZE

    def _ops(self, ins, outs):
        return self._scaled("dequantize", DataType.FLOAT, ins, outs)
