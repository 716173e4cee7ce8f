"""The least time that a launch can take on a GPU, worked out and never measured."""
