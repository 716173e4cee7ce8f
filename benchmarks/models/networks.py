"""The convolutional networks themselves, ResNet-18 and 50 and MobileNetV2, and all networks by name.

python -m benchmarks.models resnet50 --int8 --batch N resnet50.onnx
"""

from __future__ import annotations

from collections.abc import Callable

import onnx

from benchmarks.models.transformers import bert_base, vit_small
from benchmarks.models.writer import Tensor, Writer

RESNETS = {"resnet18": (False, (2, 2, 2, 2)), "resnet50": (True, (3, 4, 6, 3))}
MOBILENET = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))


def resnet(
    name: str = "resnet50",
    int8: bool = False,
    batch: int | str = "batch",
    size: int = 224,
    classes: int = 1000,
    width: int = 64,
    seed: int = 0,
    sample: int = 64,
) -> onnx.ModelProto:
    """ResNet v1.5 (the stride sits in the 3x3). batch: a number, or a name for a dynamic one.

    size: height and width of images; width: channels of the first stage; sample: size of the images behind the
    statistics.
    """
    bottleneck, depths = RESNETS[name]
    w = Writer(name, seed, int8)
    x = w.input("input", (batch, 3, size, size), (2, 3, sample, sample))
    x = w.max_pool(w.relu(w.conv(x, width, 7, 2, "conv1"), "relu"), "maxpool")
    for stage, depth in enumerate(depths):
        channels = width << stage
        for block in range(depth):
            stride = 2 if stage and not block else 1
            make = bottleneck_block if bottleneck else basic_block
            x = make(w, x, channels, stride, f"layer{stage + 1}.{block}")
    y = w.classifier(w.global_average(x, "avgpool"), classes, "fc")
    return w.finish(y, (batch, classes))


def basic_block(w: Writer, x: Tensor, channels: int, stride: int, name: str) -> Tensor:
    y = w.relu(w.conv(x, channels, 3, stride, f"{name}.conv1"), f"{name}.relu1")
    y = w.conv(y, channels, 3, 1, f"{name}.conv2")
    return joined(w, y, x, channels, stride, name)


def bottleneck_block(w: Writer, x: Tensor, channels: int, stride: int, name: str) -> Tensor:
    y = w.relu(w.conv(x, channels, 1, 1, f"{name}.conv1"), f"{name}.relu1")
    y = w.relu(w.conv(y, channels, 3, stride, f"{name}.conv2"), f"{name}.relu2")
    y = w.conv(y, 4 * channels, 1, 1, f"{name}.conv3")
    return joined(w, y, x, 4 * channels, stride, name)


def joined(w: Writer, y: Tensor, x: Tensor, channels: int, stride: int, name: str) -> Tensor:
    """The block's result and its skip, projected where shapes differ."""
    if x.sample.shape[1] != channels or stride != 1:
        x = w.conv(x, channels, 1, stride, f"{name}.downsample")
    return w.relu(w.residual(y, x, f"{name}.add"), f"{name}.relu")


def mobilenet_v2(
    int8: bool = False,
    batch: int | str = "batch",
    size: int = 224,
    classes: int = 1000,
    seed: int = 0,
    sample: int = 64,
) -> onnx.ModelProto:
    """MobileNetV2 with inverted residuals and ReLU6."""
    w = Writer("mobilenet_v2", seed, int8)
    x = w.input("input", (batch, 3, size, size), (2, 3, sample, sample))
    x = w.relu6(w.conv(x, 32, 3, 2, "stem"), "stem.relu")
    for number, (expand, channels, count, stride) in enumerate(MOBILENET):
        for block in range(count):
            x = inverted_residual(w, x, expand, channels, stride if block == 0 else 1, f"block{number}.{block}")
    x = w.relu6(w.conv(x, 1280, 1, 1, "head"), "head.relu")
    return w.finish(w.classifier(w.global_average(x, "avgpool"), classes, "fc"), (batch, classes))


def inverted_residual(w: Writer, x: Tensor, expand: int, channels: int, stride: int, name: str) -> Tensor:
    y, inside = x, x.sample.shape[1] * expand
    if expand != 1:
        y = w.relu6(w.conv(y, inside, 1, 1, f"{name}.expand"), f"{name}.relu1")
    y = w.relu6(w.conv(y, inside, 3, stride, f"{name}.depthwise", groups=inside), f"{name}.relu2")
    y = w.conv(y, channels, 1, 1, f"{name}.project")
    return w.residual(y, x, f"{name}.add") if stride == 1 and x.sample.shape[1] == channels else y


NETWORKS: dict[str, Callable[..., onnx.ModelProto]] = {
    "resnet18": lambda **how: resnet("resnet18", **how),
    "resnet50": lambda **how: resnet("resnet50", **how),
    "mobilenet_v2": mobilenet_v2,
    "vit_small": vit_small,
    "bert_base": bert_base,
}
