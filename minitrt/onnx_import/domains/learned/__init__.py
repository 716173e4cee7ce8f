"""Operators of classical machine learning, domain ai.onnx.ml: numbers in, numbers out, made of ONNX's own.

TensorRT has none of them. Here a model that skl2onnx, LightGBM or XGBoost wrote runs, on the engine's own kernels:
preparing.py has what comes before a model, linear.py and kernels.py models that are products, forests.py reads trees
and trees.py walks them; scores.py makes labels and probabilities of what they give. Strings and dictionaries are
refused, with what to do.
"""

from minitrt.onnx_import.domains.learned import kernels, linear, preparing, trees, words

__all__ = ["kernels", "linear", "preparing", "trees", "words"]
