"""numba-cuda-mlir, the other compiler: how it compiles without a GPU, and the faults that a learner may meet."""
