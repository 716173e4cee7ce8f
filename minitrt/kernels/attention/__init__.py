"""Attention on tensor cores (mma.sync, compute capability 8.0 and later): scores never leave the registers."""
