"""What is particular to one memory space: constant memory, and the shared memory of a block."""
