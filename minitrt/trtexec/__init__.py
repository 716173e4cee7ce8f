"""warpbook-trtexec: build an engine from ONNX, save it, time it, with the flags of TensorRT's trtexec.

warpbook-trtexec --onnx=net.onnx --stronglyTyped --saveEngine=net.engine --optShapes=input:8x3x224x224
"""

from minitrt.trtexec.command import main

__all__ = ["main"]
