"""Layers of decoders: a cache of keys or values that grows in place, and a softmax over rows of different length."""

from __future__ import annotations

import numpy as np

from minitrt.api.deprecation import absent_property
from minitrt.api.enums import DataType, KVCacheMode, LayerType
from minitrt.graph.ir import Value
from minitrt.network.layer import ILayer
from minitrt.network.only_default import OnlyDefault


class IKVCacheUpdateLayer(ILayer):
    """The cache (batch, heads, most, size) with the update (batch, heads, new, size) from write_indices[item] on.

    Its output lies where its first input, an input of the network, lies: give both one address.
    """

    LAYER_TYPE = LayerType.KV_CACHE_UPDATE
    cache_mode = OnlyDefault(KVCacheMode.LINEAR, "a cache is linear")
    update_form = absent_property("IKVCacheUpdateLayer.update_form", "updates are padded, (batch, heads, new, size)")
    update_lengths = absent_property("IKVCacheUpdateLayer.update_lengths", "all updates are of one length")

    def _ops(self, ins, outs):
        cache, update, first = ins
        if len(cache.shape) != 4 or len(update.shape) != 4 or -1 in update.shape[1:]:
            raise ValueError(f"{self.name}: cache and update have four axes, and only the batch of update may be open")
        steps = np.arange(update.shape[2], dtype=np.int64).reshape(-1, 1)
        ones = np.zeros((1, *update.shape[1:]), np.int64)
        along = Value(f"{self.name}/steps", DataType.INT64, ones.shape, data=ones + steps)
        items = Value(f"{outs[0].name}/items", first.dtype, None)
        places = Value(f"{outs[0].name}/places", DataType.INT64, None)
        program = [["cast", ["x0"], "INT64"], ["add", ["t0", "x1"], "INT64"]]
        return [
            self._op("shuffle", [first], [items], unsqueeze=[1, 2, 3]),
            self._op("pointwise", [items, along], [places], program=program),
            self._op("scatter", [cache, places, update], outs, mode="element", axis=2, in_place=True),
        ]


class IRaggedSoftMaxLayer(ILayer):
    """Softmax over the first bounds[row] elements of each row, zeros behind them. Inputs: x (..., n), bounds
    (..., 1)."""

    LAYER_TYPE = LayerType.RAGGED_SOFTMAX

    def _ops(self, ins, outs):
        x, bounds = ins
        if x.shape[-1] == -1:
            raise ValueError(f"{self.name}: the length of a row must be known when the engine is built")
        row = np.arange(x.shape[-1], dtype=np.int32)
        places = Value(f"{self.name}/places", DataType.INT32, row.shape, data=row)
        masked, soft = (x.like(f"{outs[0].name}/{part}", shape=None) for part in ("masked", "soft"))
        kind = x.dtype.name
        inside = [["cast", ["x2"], "INT32"], ["less", ["x1", "t0"], "BOOL"]]
        low = float(np.finfo(np.float16).min) if x.dtype == DataType.HALF else -3e38
        first = [*inside, ["where", ["t1", "x0", low], kind]]
        last = [*inside, ["where", ["t1", "x0", 0.0], kind]]
        return [
            self._op("pointwise", [x, places, bounds], [masked], program=first),
            self._op("softmax", [masked], [soft], axes=[len(x.shape) - 1]),
            self._op("pointwise", [soft, places, bounds], outs, program=last),
        ]
