"""The network of trained digits for the engine's builder.

import minitrt as trt
from minitrt.runtime.session import Session
from minitrt.samples import digits
from minitrt.samples.define import define

builder = trt.Builder(logger := trt.Logger(trt.Logger.ERROR))
network, config = builder.create_network(), builder.create_builder_config()
define(network, digits.folded(digits.network()), batch=128)
plan = builder.build_serialized_network(network, config)
session = Session(trt.Runtime(logger).deserialize_cuda_engine(plan))
session.run({"image": images})["logits"]
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

import minitrt as trt
from minitrt.samples import digits


def define(
    network: trt.INetworkDefinition,
    plain: digits.Arrays,
    batch: int = -1,
    scales: Mapping[str, np.float32] | None = None,
) -> None:
    """Fill a network: input `image` (batch, 1, 32, 32), output `logits` (batch, 10), float32 both.

    plain: folded arrays. batch: -1 for one that a profile sets. scales: of `digits.scales`, or some of them; a tensor
    that has one passes Q and DQ by it, and the weights of layers that read it by one per channel, so that the engine
    runs them in INT8. Layers bear the names of `digits.SHAPES`.
    """
    _Definition(network, plain, scales).define(batch)


class _Definition:
    def __init__(self, network, plain: digits.Arrays, scales: Mapping[str, np.float32] | None) -> None:
        self.network, self.plain, self.scales = network, plain, scales or {}

    def define(self, batch: int) -> None:
        """The whole network, tensor by tensor as `digits.logits` goes."""
        x = self.read("image", self.network.add_input("image", trt.float32, (batch, 1, *digits.SIZE)))
        x = self.read("stem", self.relu("stem", self.convolution("stem", x)))
        for block in digits.BLOCKS:
            first = self.relu(f"{block}.first", self.convolution(f"{block}.first", x))
            around = x
            if f"{block}.shortcut" in digits.SHAPES:
                around = self.read(f"{block}.shortcut", self.convolution(f"{block}.shortcut", x))
            second = self.convolution(f"{block}.second", self.read(f"{block}.first", first))
            total = self.network.add_elementwise(second, around, trt.ElementWiseOperation.SUM)
            total.name = f"{block}.add"
            x = self.read(block, self.relu(block, total.get_output(0)))
        average = self.network.add_reduce(x, trt.ReduceOperation.AVG, 0b1100, keep_dims=False)
        average.name = "average"
        logits = self.classifier(self.read("features", average.get_output(0)))
        logits.name = "logits"
        self.network.mark_output(logits)

    def convolution(self, name: str, x: trt.ITensor) -> trt.ITensor:
        """A layer with its bias; its weights pass Q and DQ where what it reads does."""
        weights, bias = (np.ascontiguousarray(self.plain[f"{name}.{part}"]) for part in ("weights", "bias"))
        n_out, _, kernel, _ = weights.shape
        rounds = digits.READS[name] in self.scales
        given = trt.Weights() if rounds else weights
        layer = self.network.add_convolution_nd(x, n_out, (kernel, kernel), given, bias)
        layer.name = name
        layer.stride_nd = (digits.SHAPES[name][3],) * 2
        layer.padding_nd = (kernel // 2,) * 2
        if rounds:
            layer.set_input(1, self.weights(name, weights))
        return layer.get_output(0)

    def classifier(self, features: trt.ITensor) -> trt.ITensor:
        """The last product and its bias."""
        weights, bias = self.plain["classifier.weights"], self.plain["classifier.bias"]
        product = self.network.add_matrix_multiply(
            features, trt.MatrixOperation.NONE, self.weights("classifier", weights), trt.MatrixOperation.TRANSPOSE
        )
        product.name = "classifier"
        added = self.network.add_constant((1, len(bias)), bias.reshape(1, -1)).get_output(0)
        return self.network.add_elementwise(product.get_output(0), added, trt.ElementWiseOperation.SUM).get_output(0)

    def relu(self, name: str, x: trt.ITensor) -> trt.ITensor:
        layer = self.network.add_activation(x, trt.ActivationType.RELU)
        layer.name = f"{name}.relu"
        return layer.get_output(0)

    def weights(self, name: str, weights: np.ndarray) -> trt.ITensor:
        """A constant, through Q and DQ by a scale per channel where what the layer reads passes them, too."""
        constant = self.network.add_constant(weights.shape, np.ascontiguousarray(weights)).get_output(0)
        if digits.READS[name] not in self.scales:
            return constant
        return self.there_and_back(f"{name}.weights", constant, digits.weight_steps(weights).reshape(-1), axis=0)

    def read(self, name: str, tensor: trt.ITensor) -> trt.ITensor:
        """What products and sums read: the tensor, or what Q and DQ leave of it."""
        if name not in self.scales:
            return tensor
        return self.there_and_back(name, tensor, np.asarray(self.scales[name], np.float32))

    def there_and_back(self, name: str, tensor: trt.ITensor, steps: np.ndarray, axis: int | None = None):
        scale = self.network.add_constant(steps.shape, steps).get_output(0)
        stored = self.network.add_quantize(tensor, scale)
        real = self.network.add_dequantize(stored.get_output(0), scale)
        stored.name, real.name = f"{name}.quantize", f"{name}.dequantize"
        if axis is not None:
            stored.axis = real.axis = axis
        return real.get_output(0)
