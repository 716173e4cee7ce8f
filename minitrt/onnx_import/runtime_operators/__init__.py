"""Operators of ONNX Runtime's own domain, com.microsoft: each is the operators of ONNX that it was made of.

fused.py has what its optimiser writes, quantised.py what its quantiser writes, ONNX's own quantised operators with it.
"""

from minitrt.onnx_import.runtime_operators import fused, quantised

__all__ = ["fused", "quantised"]
