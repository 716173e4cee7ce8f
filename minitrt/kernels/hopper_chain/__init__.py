"""Two 1x1 convolutions in INT8 for Hopper as one kernel: the second reads the first's result in shared memory."""
