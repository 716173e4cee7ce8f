"""The MNIST sample's network, built by its own `build_engine` from weights of ours instead of downloaded digits."""

from __future__ import annotations

import sys

import numpy as np


def main() -> None:
    sys.path.insert(0, "network_api_pytorch_mnist")
    import model
    import sample
    import torch

    torch.manual_seed(0)
    net = model.Net().eval()
    image = torch.randn(1, 1, 28, 28)
    logits = net.fc2(torch.relu(net.fc1(features(net, image).view(-1, 800)))).detach().numpy().reshape(-1)
    engine = sample.build_engine(net.state_dict())
    inputs, outputs, bindings = sample.common.allocate_buffers(engine)
    context = engine.create_execution_context()
    with sample.common.CudaStreamContext() as stream:
        np.copyto(inputs[0].host, image.numpy().ravel())
        (found,) = sample.common.do_inference(
            context, engine=engine, bindings=bindings, inputs=inputs, outputs=outputs, stream=stream
        )
    np.testing.assert_allclose(found, logits, rtol=1e-3, atol=1e-4)
    print("outputs agree with PyTorch's")


def features(net, image):
    import torch.nn.functional as F

    return F.max_pool2d(net.conv2(F.max_pool2d(net.conv1(image), 2)), 2)


if __name__ == "__main__":
    main()
