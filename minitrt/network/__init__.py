"""The network a user or a parser builds, layer by layer, and its lowering to a graph."""
