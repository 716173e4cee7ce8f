"""Public projects' own tests and notebooks of numba.cuda kernels, under numba's simulator and under ours."""
