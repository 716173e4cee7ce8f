"""The first convolution of an image network and the max pool behind it as one INT8 kernel for Hopper."""
