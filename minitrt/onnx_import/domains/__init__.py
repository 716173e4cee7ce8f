"""Operators of other domains than ONNX's own: ONNX Runtime's, and those of classical learning."""
