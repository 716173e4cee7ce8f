"""What the tactics of Hopper kernels share, and those for operations that stand for several layers."""
