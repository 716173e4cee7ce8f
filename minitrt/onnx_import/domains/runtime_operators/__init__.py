"""Operators of ONNX Runtime's own domain, com.microsoft: each is the operators of ONNX that it was made of.

fused.py has what its optimiser writes, transformers.py and
grouped.py what it writes of those, quantised.py what its quantiser writes,
ONNX's own quantised operators with it, packed.py weights of a few bits, plain.py what stands alone.
"""

from minitrt.onnx_import.domains.runtime_operators import fused, grouped, packed, plain, quantised, transformers

__all__ = ["fused", "grouped", "packed", "plain", "quantised", "transformers"]
