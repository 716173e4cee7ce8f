"""ONNX models with seeded weights, written without a training framework: what tests and benchmarks build engines
from."""
