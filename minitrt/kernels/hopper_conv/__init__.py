"""INT8 and FP16 convolution and matrix product for Hopper (wgmma, TMA): `kernel.py` puts the parts together."""
