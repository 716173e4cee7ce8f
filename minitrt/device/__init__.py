"""The CUDA driver's side of an engine: memory, cubins, tensor maps, launches, graphs. It compiles nothing."""
