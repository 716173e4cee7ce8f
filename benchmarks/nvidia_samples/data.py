"""What tier B is given instead of downloads: a ResNet-50 with random weights, three noisy pictures, labels.

A network with random weights recognises nothing, so every class bears the one label that fits all pictures: these
samples show that the code runs, that two engines agree, and no more.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx

from benchmarks.models.networks import resnet

PICTURES = ("binoculars.jpeg", "reflex_camera.jpeg", "tabby_tiger_cat.jpg")
CACHE = "TRT-101600-EntropyCalibration2\nx: 3c010a14\ny: 3c010a14\n"  # scales of 1 / 127: [-1, 1]


def make(folder: Path) -> None:
    """Fill a folder: resnet50/, small.onnx, identity.cache."""
    images = folder / "resnet50"
    images.mkdir(parents=True)
    model = resnet("resnet50", batch=1, size=224)
    rename(model, "input", "gpu_0/data_0")
    onnx.save(model, images / "ResNet50.onnx")
    onnx.save(resnet("resnet18", batch=1, size=32, width=8, classes=10), folder / "small.onnx")
    (folder / "identity.cache").write_text(CACHE)
    (images / "class_labels.txt").write_text("a\n" * 1000)
    try:
        from PIL import Image
    except ImportError:
        return  # those samples need it themselves, and are counted apart
    noise = np.random.default_rng(0).integers(0, 256, (3, 240, 320, 3), np.uint8)
    for name, picture in zip(PICTURES, noise, strict=True):
        Image.fromarray(picture).save(images / name)


def rename(model: onnx.ModelProto, old: str, new: str) -> None:
    """Give an input another name."""
    for value in model.graph.input:
        value.name = new if value.name == old else value.name
    for node in model.graph.node:
        for n, name in enumerate(node.input):
            node.input[n] = new if name == old else name
