"""What host code of a notebook may ask for beside numba: callbacks, prefetches, and a rehearsal of its order."""
