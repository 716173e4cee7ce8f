"""Who a thread is, and how threads work together: positions, barriers, warps, atomics, the grid's group."""
