"""A TensorRT-style inference engine whose kernels are written in numba.cuda; the Python API is TensorRT 10.16's."""
