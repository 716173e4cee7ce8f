"""NVIDIA's own TensorRT samples, run unchanged on minitrt."""
