"""Whole networks through minitrt on this GPU, beside torch.compile in the same run: `python -m benchmarks.engine`."""
