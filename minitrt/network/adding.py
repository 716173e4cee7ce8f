"""The methods of a network that add layers: thin, since a layer knows itself what it means."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from minitrt.api import enums as e
from minitrt.api.arguments import checked
from minitrt.api.deprecation import absent
from minitrt.api.dims import volume
from minitrt.api.weights import Weights, as_array, nptype
from minitrt.network import arithmetic, caching, convolutional, filling, quantising, sampling, shaping, sums
from minitrt.network.attention_layers import IAttention, IRotaryEmbeddingLayer
from minitrt.network.control import IIfConditional, ILoop
from minitrt.network.layer import ILayer
from minitrt.network.plugin_layers import IPluginV2Layer, IPluginV3Layer, described_v2, described_v3
from minitrt.network.tensor import ITensor
from minitrt.plugins.nvidia import NvidiaPlugin
from minitrt.plugins.running import PluginError


@checked
class AddingLayers:
    """Mixed into INetworkDefinition. Every method returns the new layer, whose parameters can still be changed."""

    def _append(self, layer: ILayer) -> ILayer:
        raise NotImplementedError

    # --- windows ---

    def add_convolution_nd(self, input: ITensor, num_output_maps: int, kernel_shape, kernel, bias=None):
        """Convolution; kernel (K, C/groups, *kernel_shape), bias (K,), either empty to be given with set_input."""
        given = dict(num_output_maps=num_output_maps, kernel_size_nd=kernel_shape, kernel=kernel, bias=bias)
        return self._append(convolutional.IConvolutionLayer(self, [input], **given))

    def add_deconvolution_nd(self, input: ITensor, num_output_maps: int, kernel_shape, kernel, bias=None):
        """Transposed convolution; kernel (C, K/groups, *kernel_shape)."""
        given = dict(num_output_maps=num_output_maps, kernel_size_nd=kernel_shape, kernel=kernel, bias=bias)
        return self._append(convolutional.IDeconvolutionLayer(self, [input], **given))

    def add_pooling_nd(self, input: ITensor, type: e.PoolingType, window_size):
        return self._append(convolutional.IPoolingLayer(self, [input], type=type, window_size_nd=window_size))

    def add_lrn(self, input: ITensor, window: int, alpha: float, beta: float, k: float):
        given = dict(window_size=window, alpha=alpha, beta=beta, k=k)
        return self._append(convolutional.ILRNLayer(self, [input], **given))

    def add_padding_nd(self, input: ITensor, pre_padding, post_padding):
        given = dict(pre_padding_nd=pre_padding, post_padding_nd=post_padding)
        return self._append(convolutional.IPaddingLayer(self, [input], **given))

    # --- arithmetic ---

    def add_activation(self, input: ITensor, type: e.ActivationType):
        return self._append(arithmetic.IActivationLayer(self, [input], type=type))

    def add_unary(self, input: ITensor, op: e.UnaryOperation):
        return self._append(arithmetic.IUnaryLayer(self, [input], op=op))

    def add_elementwise(self, input1: ITensor, input2: ITensor, op: e.ElementWiseOperation):
        return self._append(arithmetic.IElementWiseLayer(self, [input1, input2], op=op))

    def add_select(self, condition: ITensor, then_input: ITensor, else_input: ITensor):
        return self._append(arithmetic.ISelectLayer(self, [condition, then_input, else_input]))

    def add_scale(self, input: ITensor, mode: e.ScaleMode, shift=None, scale=None, power=None):
        return self.add_scale_nd(input, mode, shift, scale, power, 1)

    def add_scale_nd(
        self, input: ITensor, mode: e.ScaleMode, shift=None, scale=None, power=None, channel_axis: int = 1
    ):
        given = dict(mode=mode, shift=shift, scale=scale, power=power, channel_axis=channel_axis)
        return self._append(arithmetic.IScaleLayer(self, [input], **given))

    def add_parametric_relu(self, input: ITensor, slopes: ITensor):
        return self._append(arithmetic.IParametricReLULayer(self, [input, slopes]))

    def add_identity(self, input: ITensor):
        return self._append(arithmetic.IIdentityLayer(self, [input]))

    def add_cast(self, input: ITensor, to_type: e.DataType):
        return self._append(arithmetic.ICastLayer(self, [input], to_type=to_type))

    def add_matrix_multiply(self, input0: ITensor, op0: e.MatrixOperation, input1: ITensor, op1: e.MatrixOperation):
        return self._append(sums.IMatrixMultiplyLayer(self, [input0, input1], op0=op0, op1=op1))

    def add_reduce(self, input: ITensor, op: e.ReduceOperation, axes: int, keep_dims: bool):
        return self._append(sums.IReduceLayer(self, [input], op=op, axes=axes, keep_dims=keep_dims))

    def add_softmax(self, input: ITensor):
        return self._append(sums.ISoftMaxLayer(self, [input]))

    def add_topk(self, input: ITensor, op: e.TopKOperation, k: int, axes: int, indices_type=e.DataType.INT32):
        given = dict(op=op, k=k, axes=axes, indices_type=indices_type)
        return self._append(sums.ITopKLayer(self, [input], 2, **given))

    def add_cumulative(self, input: ITensor, axis: ITensor, op: e.CumulativeOperation, exclusive: bool, reverse: bool):
        given = dict(op=op, exclusive=exclusive, reverse=reverse)
        return self._append(sums.ICumulativeLayer(self, [input, axis], **given))

    def add_normalization(self, input: ITensor, scale: ITensor, bias: ITensor, axesMask: int):
        return self._append(sums.INormalizationLayer(self, [input, scale, bias], axes=axesMask))

    def add_normalization_v2(self, input: ITensor, scale: ITensor, bias: ITensor, axesMask: int):
        return self._append(sums.INormalizationLayer(self, [input, scale, bias], axes=axesMask, _v2=True))

    def add_einsum(self, inputs: Sequence[ITensor], equation: str):
        return self._append(sums.IEinsumLayer(self, inputs, equation=equation))

    # --- moving and making ---

    def add_constant(self, shape, weights):
        """Weights as a tensor. The array is kept; set_weights_name names it. None, and an error, for weights of another
        size than the shape's."""
        array = as_array(weights)
        if array is not None and array.size != volume(shape):
            self._report.error(
                f"a constant of shape {tuple(shape)} takes {volume(shape)} weights, and not {array.size}"
            )
            return None
        array = np.zeros(tuple(shape), nptype(Weights(weights).dtype)) if array is None else array
        return self._append(shaping.IConstantLayer(self, [], shape=shape, weights=array))

    def add_shuffle(self, input: ITensor):
        return self._append(shaping.IShuffleLayer(self, [input]))

    def add_squeeze(self, input: ITensor, axes: ITensor):
        return self._append(shaping.ISqueezeLayer(self, [input, axes]))

    def add_unsqueeze(self, input: ITensor, axes: ITensor):
        return self._append(shaping.IUnsqueezeLayer(self, [input, axes]))

    def add_slice(self, input: ITensor, start, shape, stride):
        return self._append(shaping.ISliceLayer(self, [input], start=start, shape=shape, stride=stride))

    def add_concatenation(self, inputs: Sequence[ITensor]):
        return self._append(shaping.IConcatenationLayer(self, inputs))

    def add_gather(self, input: ITensor, indices: ITensor, axis: int):
        return self._append(shaping.IGatherLayer(self, [input, indices], axis=axis))

    def add_gather_v2(self, input: ITensor, indices: ITensor, mode: e.GatherMode):
        return self._append(shaping.IGatherLayer(self, [input, indices], mode=mode))

    def add_scatter(self, data: ITensor, indices: ITensor, updates: ITensor, mode: e.ScatterMode):
        return self._append(shaping.IScatterLayer(self, [data, indices, updates], mode=mode))

    def add_shape(self, input: ITensor):
        return self._append(shaping.IShapeLayer(self, [input]))

    def add_non_zero(self, input: ITensor, indices_type=e.DataType.INT64):
        return self._append(shaping.INonZeroLayer(self, [input], indices_type=indices_type))

    def add_one_hot(self, indices: ITensor, values: ITensor, depth: ITensor, axis: int):
        return self._append(shaping.IOneHotLayer(self, [indices, values, depth], axis=axis))

    def add_reverse_sequence(self, input: ITensor, sequence_lens: ITensor):
        return self._append(shaping.IReverseSequenceLayer(self, [input, sequence_lens]))

    def add_resize(self, input: ITensor):
        return self._append(sampling.IResizeLayer(self, [input]))

    def add_fill(self, shape, op: e.FillOperation, output_type=e.DataType.FLOAT):
        return self._append(filling.IFillLayer(self, [], shape=shape, operation=op, to_type=output_type))

    def add_grid_sample(self, input: ITensor, grid: ITensor):
        return self._append(sampling.IGridSampleLayer(self, [input, grid]))

    def add_nms(
        self, boxes: ITensor, scores: ITensor, max_output_boxes_per_class: ITensor, indices_type=e.DataType.INT64
    ):
        inputs = [boxes, scores, max_output_boxes_per_class]
        return self._append(sampling.INMSLayer(self, inputs, 2, indices_type=indices_type))

    def add_assertion(self, condition: ITensor, message: str):
        return self._append(shaping.IAssertionLayer(self, [condition], 0, message=message))

    # --- quantising ---

    def add_quantize(self, input: ITensor, scale: ITensor, output_type=e.DataType.INT8):
        return self._append(quantising.IQuantizeLayer(self, [input, scale], to_type=output_type))

    def add_dequantize(self, input: ITensor, scale: ITensor, output_type=e.DataType.FLOAT):
        return self._append(quantising.IDequantizeLayer(self, [input, scale], to_type=output_type))

    # --- control flow, attention ---

    def add_loop(self) -> ILoop:
        """A loop, unrolled when the engine is built."""
        self._loops.append(ILoop(self))
        return self._loops[-1]

    def add_if_conditional(self) -> IIfConditional:
        """A conditional; both sides are computed."""
        return IIfConditional(self)

    def add_attention(
        self, query: ITensor, key: ITensor, value: ITensor, norm_op: e.AttentionNormalizationOp, causal: bool
    ):
        return IAttention(self, [query, key, value], norm_op, causal)

    def add_attention_v2(
        self,
        query: ITensor,
        key: ITensor,
        value: ITensor,
        norm_op: e.AttentionNormalizationOp,
        causal_kind: e.CausalMaskKind,
    ):
        """An attention of TensorRT 11: where a causal mask begins is said."""
        return IAttention(self, [query, key, value], norm_op, causal_kind)

    def add_rotary_embedding(
        self, input: ITensor, cos_cache: ITensor, sin_cache: ITensor, interleaved: bool, rotary_embedding_dim: int
    ):
        given = dict(interleaved=interleaved, rotary_embedding_dim=rotary_embedding_dim)
        return self._append(IRotaryEmbeddingLayer(self, [input, cos_cache, sin_cache], **given))

    def add_ragged_softmax(self, input: ITensor, bounds: ITensor):
        return self._append(caching.IRaggedSoftMaxLayer(self, [input, bounds]))

    def add_kv_cache_update(self, cache: ITensor, update: ITensor, write_indices: ITensor, cache_mode: e.KVCacheMode):
        """The cache with new keys or values; the output's address must be the cache's."""
        inputs = [cache, update, write_indices]
        return self._append(caching.IKVCacheUpdateLayer(self, inputs, cache_mode=cache_mode))

    def add_moe(
        self, hidden_states: ITensor, selected_experts_for_tokens: ITensor, scores_for_selected_experts: ITensor
    ):
        """None, and an error, as TensorRT answers on every GPU that is no Thor."""
        self._report.error("mixtures of experts are for sm_110 alone, in TensorRT, too: build them of matrix products")

    # --- plugins ---

    def add_plugin_v3(self, inputs: Sequence[ITensor], shape_inputs: Sequence[ITensor], plugin):
        """A V3 plugin. shape_inputs: tensors whose elements its output shapes depend on. None after an error."""
        return self._add_plugin(IPluginV3Layer, [*inputs, *shape_inputs], plugin, [list(inputs), list(shape_inputs)])

    def add_plugin_v2(self, inputs: Sequence[ITensor], plugin):
        """A V2-dynamic plugin. None after an error."""
        return self._add_plugin(IPluginV2Layer, inputs, plugin, [list(inputs)])

    def _add_plugin(self, kind, inputs: Sequence[ITensor], plugin, asked: list):
        if isinstance(plugin, NvidiaPlugin):
            types = plugin.types
            return self._add_builtin(plugin.kind, inputs, plugin.num_outputs, types, **plugin.operation_attributes())
        try:
            attrs, types = (described_v3 if kind is IPluginV3Layer else described_v2)(plugin, *asked)
        except (PluginError, ValueError, TypeError, AttributeError, NotImplementedError) as error:
            self._report.error(f"the plugin cannot be added: {error}")
            return None
        layer = kind(self, inputs, len(types), plugin=plugin, described=attrs, types=types)
        return self._append(layer)

    add_plugin = absent("INetworkDefinition.add_plugin", "derive from IPluginV3 and use add_plugin_v3")

    # --- the importer's, for operators without a layer of their own ---

    def _add_pointwise(self, inputs: Sequence[ITensor], program: list):
        return self._append(arithmetic.ProgramLayer(self, inputs, program=program))

    def _add_builtin(self, kind: str, inputs: Sequence[ITensor | None], outputs: int = 1, types=None, **attrs):
        layer = shaping.BuiltinLayer(self, inputs, outputs, kind=kind, attrs=attrs, types=types)
        return self._append(layer)

    # --- what minitrt does not have ---

    add_dynamic_quantize = absent("INetworkDefinition.add_dynamic_quantize", "it computes in FP32, FP16 and INT8 only")
    add_dynamic_quantize_v2 = absent("INetworkDefinition.add_dynamic_quantize_v2", "it computes in FP32, FP16 and INT8")
    add_dist_collective = absent("INetworkDefinition.add_dist_collective", "an engine runs on one GPU; use a pool")
    serialize = absent("INetworkDefinition.serialize", "build an engine and serialise that, or keep the ONNX file")
