"""What an operation gives, to the last bit, where NumPy and the hardware differ."""
