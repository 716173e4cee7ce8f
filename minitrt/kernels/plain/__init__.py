"""Kernels in plain numba.cuda, for every architecture: the simple form of each idea, run by the interpreter, too.

Arrays are flat; sizes and strides, in elements, come as numbers. So one kernel serves every layout.
"""
