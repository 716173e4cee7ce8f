"""Attention as one object, and rotary position embedding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from minitrt.api.deprecation import NotInMinitrt, absent_property
from minitrt.api.enums import AttentionIOForm, AttentionNormalizationOp, CausalMaskKind, DataType, LayerType
from minitrt.api.sealed import sealed
from minitrt.graph.ir import Value
from minitrt.network.layer import ILayer, Param
from minitrt.network.tensor import ITensor

if TYPE_CHECKING:
    from minitrt.network.definition import INetworkDefinition


class IAttentionBoundaryLayer(ILayer):
    """A layer of an attention."""

    _attention = Param(None)

    @property
    def attention(self) -> IAttention:
        return self._attention


class IAttentionInputLayer(IAttentionBoundaryLayer):
    """Inputs: queries, keys, values, mask; computes the whole attention, whose output layer passes it on."""

    LAYER_TYPE = LayerType.ATTENTION_INPUT

    def _ops(self, ins, outs):
        attention = self._attention
        mask = ins[3] if len(ins) > 3 else None
        if attention.norm_op == AttentionNormalizationOp.SOFTMAX:
            lower = attention.causal_kind == CausalMaskKind.LOWER_RIGHT
            attrs = dict(scale=1.0, causal=attention.causal and not lower)
            mask = self._lower_right(*(value.shape[2:3] for value in ins[:2]), mask) if lower else mask
            return [self._op("attention", [*ins[:3], mask], outs, **attrs)]
        scores = outs[0].like(f"{outs[0].name}/scores", shape=None)
        first = self._op("gemm", [ins[0], ins[1], None, None], [scores], transpose_b=True)
        return [first, self._op("gemm", [scores, ins[2], None, None], outs)]

    def _lower_right(self, queries: tuple[int, ...], keys: tuple[int, ...], mask: Value | None) -> Value:
        """The causal mask that ends in the lower right corner, as weights. queries, keys: how many, (n,).

        Raises: ValueError where it cannot be.
        """
        if mask is not None or not all(isinstance(n, int) and n != -1 for n in (*queries, *keys)) or not queries + keys:
            raise ValueError(
                f"{self.name}: LOWER_RIGHT takes known lengths of queries and keys, here {queries} and {keys}, and no"
                " other mask. Put both into one mask."
            )
        queries, keys = queries[0], keys[0]
        seen = np.tri(queries, keys, keys - queries, dtype=bool)[None, None]
        return Value(f"{self.name}/causal", DataType.BOOL, seen.shape, data=seen)


class IAttentionOutputLayer(IAttentionBoundaryLayer):
    """The result."""

    LAYER_TYPE = LayerType.ATTENTION_OUTPUT

    def _ops(self, ins, outs):
        return self._same(ins, outs)


@sealed
class IAttention:
    """softmax(Q K^T [+ mask]) V of (batch, heads, length, size). Scale the queries yourself, as in TensorRT."""

    def __init__(self, network: INetworkDefinition, inputs: list[ITensor], norm_op, causal: bool | CausalMaskKind):
        """causal: whether, or, as TensorRT 11 asks, from which corner a query sees the keys before it alone."""
        self._network = network
        if not isinstance(causal, CausalMaskKind):
            causal = CausalMaskKind.UPPER_LEFT if causal else CausalMaskKind.NONE
        self.norm_op, self.causal_kind, self.decomposable, self._name, self.metadata = norm_op, causal, False, "", ""
        self.num_ranks = 1
        self._input = network._append(IAttentionInputLayer(network, inputs, _attention=self))
        self._output = network._append(IAttentionOutputLayer(network, [self._input.get_output(0)], _attention=self))
        self._output.name = f"(Unnamed Layer* {network.num_layers}) [AttentionOutput]"  # TensorRT counts one more layer
        self._output.get_output(0).name = f"{self._output.name}_output"

    @property
    def name(self) -> str:
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        self._name = self._output.name = name

    @property
    def causal(self) -> bool:
        return self.causal_kind != CausalMaskKind.NONE

    @causal.setter
    def causal(self, causal: bool) -> None:
        self.causal_kind = CausalMaskKind.UPPER_LEFT if causal else CausalMaskKind.NONE

    @property
    def causal_kind(self) -> CausalMaskKind:
        return self._causal_kind

    @causal_kind.setter
    def causal_kind(self, kind: CausalMaskKind) -> None:
        self._causal_kind = kind
        self._network._changed()

    @property
    def query_form(self) -> AttentionIOForm:
        """How queries lie: padded."""
        return AttentionIOForm.PADDED_BHND

    @query_form.setter
    def query_form(self, form: AttentionIOForm) -> None:
        if form != AttentionIOForm.PADDED_BHND:
            raise NotInMinitrt(f"IAttention.query_form {form.name}", "queries, keys and values are padded; use a mask")

    key_value_form = query_form
    query_lengths = absent_property("IAttention.query_lengths", "give a mask")
    key_value_lengths = absent_property("IAttention.key_value_lengths", "give a mask")

    @property
    def mask(self) -> ITensor | None:
        return self._input.get_input(3)

    @mask.setter
    def mask(self, mask: ITensor) -> None:
        self._input.set_input(3, mask)

    @property
    def num_inputs(self) -> int:
        return self._input.num_inputs

    @property
    def num_outputs(self) -> int:
        return 1

    def set_input(self, index: int, tensor: ITensor) -> bool:
        self._input.set_input(index, tensor)
        return True

    def get_input(self, index: int) -> ITensor | None:
        return self._input.get_input(index)

    def get_output(self, index: int) -> ITensor | None:
        return self._output.get_output(index)

    normalization_quantize_scale = absent_property("IAttention.normalization_quantize_scale", "softmax stays floating")
    normalization_quantize_to_type = absent_property(
        "IAttention.normalization_quantize_to_type", "softmax stays floating"
    )


class IRotaryEmbeddingLayer(ILayer):
    """Inputs: x (batch, heads, length, size), cosines, sines, and optionally positions (set_input 3)."""

    LAYER_TYPE = LayerType.ROTARY_EMBEDDING
    interleaved = Param(False, bool)
    rotary_embedding_dim = Param(0, int)

    def _ops(self, ins, outs):
        return [self._op("rotary", ins, outs, interleaved=self.interleaved, size=self.rotary_embedding_dim)]
