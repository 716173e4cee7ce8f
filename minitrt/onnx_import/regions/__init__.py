"""If, Loop and Scan: graphs inside a graph, chosen, repeated and unrolled."""
