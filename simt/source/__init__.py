"""A kernel's source: where it is found, what stands where in it, and what its names stand for."""
