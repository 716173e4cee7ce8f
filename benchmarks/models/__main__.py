"""Write one of the networks to a file: python -m benchmarks.models resnet50 --int8 resnet50.onnx"""

from __future__ import annotations

import argparse

import onnx

from benchmarks.models.networks import NETWORKS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("network", choices=sorted(NETWORKS))
    parser.add_argument("file")
    parser.add_argument("--int8", action="store_true", help="with quantisers around every convolution")
    parser.add_argument("--batch", default="batch", help="a number, or a name for a dynamic dimension")
    parser.add_argument("--size", type=int, default=224, help="height and width of images")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    batch = int(asked.batch) if asked.batch.isdigit() else asked.batch
    model = NETWORKS[asked.network](int8=asked.int8, batch=batch, size=asked.size, seed=asked.seed)
    onnx.save(model, asked.file)
    print(f"{asked.file}: {len(model.graph.node)} nodes, {model.ByteSize() / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
