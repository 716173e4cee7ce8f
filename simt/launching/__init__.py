"""What a launch is: its grid, its arguments as kernels see them, and the memory that it runs in."""
