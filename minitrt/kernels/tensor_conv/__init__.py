"""Convolutions and matrix products on the tensor cores of every architecture from sm_75 on, by mma.sync or dp4a."""
