"""Integers that engines lack: which tensors of a model they are, and what they are kept in."""
