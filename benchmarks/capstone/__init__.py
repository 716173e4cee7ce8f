"""ResNet-50 on the course's own kernels, as tactics of minitrt: `python benchmarks/bench_capstone.py`."""
