"""Writes an ONNX model node by node, with a sample batch running through it.

The sample sets batch normalisation's statistics and the scales of quantisers, so that activations keep sensible sizes
however deep the network is; weights are drawn from a seed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from minitrt.graph.ir import DATA_TYPES, Op, Value
from minitrt.reference import run_op

OPSET = 17


@dataclass
class Tensor:
    """A tensor of the model under way: its ONNX name, and what the sample batch makes of it."""

    name: str
    sample: np.ndarray


@dataclass
class Writer:
    """name: of the model. quantised: put QuantizeLinear and DequantizeLinear where an INT8 engine wants them."""

    name: str
    seed: int = 0
    quantised: bool = False
    nodes: list = field(default_factory=list)
    initializers: list = field(default_factory=list)
    outputs: list = field(default_factory=list)
    pairs: dict[str, Tensor] = field(default_factory=dict)  # of Q and DQ, by the tensor that they quantise

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)

    # --- tensors ---

    def input(self, name: str, shape: tuple[int, ...], sample_shape: tuple[int, ...]) -> Tensor:
        """The model's input. shape: as declared, strings for dynamic dimensions."""
        self.inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)]
        return Tensor(name, self.rng.standard_normal(sample_shape).astype(np.float32))

    def weight(self, name: str, array: np.ndarray) -> str:
        self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def add(self, kind: str, inputs: list[str], name: str, sample: np.ndarray, **attributes) -> Tensor:
        output = f"{name}_output"
        self.nodes.append(helper.make_node(kind, inputs, [output], name, **attributes))
        return Tensor(output, sample)

    # --- layers ---

    def conv(self, x: Tensor, channels: int, kernel: int, stride: int, name: str, groups: int = 1) -> Tensor:
        """A convolution with "same" padding, its batch normalisation behind it."""
        per_group = x.sample.shape[1] // groups
        fan_in = per_group * kernel * kernel
        weights = (
            self.rng.standard_normal((channels, per_group, kernel, kernel)).astype(np.float32) * (2 / fan_in) ** 0.5
        )
        pads = [kernel // 2] * 2
        attrs = dict(kernel=[kernel] * 2, stride=[stride] * 2, pads_before=pads, pads_after=pads, groups=groups)
        gamma, beta = self.rng.uniform(0.5, 1.0, channels), self.rng.normal(0, 0.1, channels)
        raw = evaluate("conv", attrs, x.sample, weights)
        mean, variance = raw.mean(axis=(0, 2, 3)), raw.var(axis=(0, 2, 3)) + 1e-3
        if not self.quantised:
            onnx_attrs = dict(kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=pads * 2, group=groups)
            y = self.add("Conv", [x.name, self.weight(f"{name}.weight", weights)], name, raw, **onnx_attrs)
            return self.batch_norm(y, gamma, beta, mean, variance, f"{name}.bn")
        factor = gamma / np.sqrt(variance + 1e-5)
        weights = (weights * factor.reshape(-1, 1, 1, 1)).astype(np.float32)
        bias = (beta - mean * factor).astype(np.float32)
        onnx_attrs = dict(kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=pads * 2, group=groups)
        inputs = [self.fake_quantised(x, f"{name}.input").name, self.quantised_weights(weights, f"{name}.weight", 0)]
        inputs.append(self.weight(f"{name}.bias", bias))
        sample = (raw * per_channel(factor) + per_channel(bias)).astype(np.float32)
        return self.add("Conv", inputs, name, sample, **onnx_attrs)

    def batch_norm(self, x: Tensor, gamma, beta, mean, variance, name: str) -> Tensor:
        parameters = dict(weight=gamma, bias=beta, running_mean=mean, running_var=variance)
        inputs = [self.weight(f"{name}.{key}", np.asarray(v, np.float32)) for key, v in parameters.items()]
        factor = gamma / np.sqrt(variance + 1e-5)
        sample = x.sample * per_channel(factor) + per_channel(beta - mean * factor)
        return self.add("BatchNormalization", [x.name, *inputs], name, sample.astype(np.float32), epsilon=1e-5)

    def relu(self, x: Tensor, name: str) -> Tensor:
        return self.add("Relu", [x.name], name, np.maximum(x.sample, 0))

    def relu6(self, x: Tensor, name: str) -> Tensor:
        limits = [self.weight(f"{name}.{key}", np.float32(v)) for key, v in (("min", 0.0), ("max", 6.0))]
        return self.add("Clip", [x.name, *limits], name, np.clip(x.sample, 0, 6))

    def residual(self, x: Tensor, skip: Tensor, name: str) -> Tensor:
        """x + skip; a quantised model quantises the skip, so that the sum fuses."""
        skip = self.fake_quantised(skip, f"{name}.skip") if self.quantised else skip
        return self.add("Add", [x.name, skip.name], name, x.sample + skip.sample)

    def max_pool(self, x: Tensor, name: str) -> Tensor:
        attrs = dict(mode="max", kernel=[3, 3], stride=[2, 2], pads_before=[1, 1], pads_after=[1, 1])
        sample = evaluate("pool", attrs, x.sample)
        return self.add("MaxPool", [x.name], name, sample, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)

    def global_average(self, x: Tensor, name: str) -> Tensor:
        x = self.fake_quantised(x, f"{name}.input") if self.quantised else x
        return self.add("GlobalAveragePool", [x.name], name, x.sample.mean(axis=(2, 3), keepdims=True))

    def classifier(self, x: Tensor, classes: int, name: str) -> Tensor:
        """Flatten and a fully connected layer."""
        x = self.fake_quantised(x, f"{name}.input") if self.quantised else x
        flat = self.add("Flatten", [x.name], f"{name}.flatten", x.sample.reshape(len(x.sample), -1), axis=1)
        features = flat.sample.shape[1]
        weights = self.rng.standard_normal((classes, features)).astype(np.float32) * features**-0.5
        bias = self.rng.normal(0, 0.1, classes).astype(np.float32)
        source = self.quantised_weights(weights, f"{name}.weight", 0) if self.quantised else None
        source = source or self.weight(f"{name}.weight", weights)
        inputs = [flat.name, source, self.weight(f"{name}.bias", bias)]
        return self.add("Gemm", inputs, name, flat.sample @ weights.T + bias, transB=1)

    # --- quantisers ---

    def fake_quantised(self, x: Tensor, name: str) -> Tensor:
        """x through Q and DQ, its range that of the sample; one pair a tensor, however many read it."""
        if x.name in self.pairs or x.name in {pair.name for pair in self.pairs.values()}:
            return self.pairs.get(x.name, x)
        scale = np.float32(max(np.abs(x.sample).max(), 1e-6) / 127)
        self.pairs[x.name] = Tensor(self.pair(x.name, scale, name, None), x.sample)
        return self.pairs[x.name]

    def quantised_weights(self, weights: np.ndarray, name: str, axis: int) -> str:
        """Weights through Q and DQ, one scale a channel along `axis`."""
        others = tuple(i for i in range(weights.ndim) if i != axis)
        scale = np.maximum(np.abs(weights).max(axis=others), 1e-8).astype(np.float32) / np.float32(127)
        return self.pair(self.weight(name, weights), scale, name, axis)

    def pair(self, source: str, scale: np.ndarray, name: str, axis: int | None) -> str:
        attributes = {} if axis is None else {"axis": axis}
        parameters = [
            self.weight(f"{name}.scale", scale),
            self.weight(f"{name}.zero", np.zeros(np.shape(scale), np.int8)),
        ]
        for kind, suffix in (("QuantizeLinear", "quantize"), ("DequantizeLinear", "dequantize")):
            output = f"{name}.{suffix}d"
            self.nodes.append(helper.make_node(kind, [source, *parameters], [output], f"{name}.{suffix}", **attributes))
            source = output
        return source

    # --- the end ---

    def finish(self, y: Tensor, shape: tuple) -> onnx.ModelProto:
        """The checked model. shape: of the output, as declared."""
        output = helper.make_tensor_value_info(y.name, TensorProto.FLOAT, shape)
        graph = helper.make_graph(self.nodes, self.name, self.inputs, [output], self.initializers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
        onnx.checker.check_model(model)
        return model


def evaluate(kind: str, attrs: dict, *arrays: np.ndarray) -> np.ndarray:
    """One operation of the reference backend on float arrays."""
    values = [Value(str(i), DATA_TYPES[array.dtype], array.shape, data=None) for i, array in enumerate(arrays)]
    out = Value("out", values[0].dtype, ())
    return run_op(
        Op(kind, kind, [*values, None, None][: 4 if kind == "conv" else len(values)], [out], attrs), list(arrays)
    )[0]


def per_channel(values: np.ndarray) -> np.ndarray:
    return np.asarray(values).reshape(-1, 1, 1)
