"""From an ONNX file to a network: one small function for each operator, in tables by theme."""

from minitrt.onnx_import.importing import ParserError
from minitrt.onnx_import.parser import OnnxParser

__all__ = ["OnnxParser", "ParserError"]
