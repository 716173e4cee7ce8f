"""What compression costs and gains on the trained network of minitrt/samples, through the kernels of unit 20."""
