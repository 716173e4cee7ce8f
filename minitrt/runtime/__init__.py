"""Runs plans: deserialising, contexts, shapes, memory. It imports neither onnx nor the builder."""
