"""Host functions that launch kernels: what they did, line by line, copy by copy, launch by launch."""
