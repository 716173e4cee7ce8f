"""Unit 19's own_convolution: layers, the engine that is built of them, and what mistakes make of it."""
