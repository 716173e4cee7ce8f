"""NVIDIA's TensorRT cookbook on minitrt, its layers compared with the logs that TensorRT left beside them."""
