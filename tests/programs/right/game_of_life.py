"""Conway's game on a torus, from one board into the other."""

import numpy as np
from numba import cuda


@cuda.jit(device=True)
def neighbours(board, row, col):
    count = 0
    for dr in range(-1, 2):
        for dc in range(-1, 2):
            if dr != 0 or dc != 0:
                count += board[(row + dr) % board.shape[0], (col + dc) % board.shape[1]]
    return count


@cuda.jit
def step(board, after):
    row, col = cuda.grid(2)
    if row >= board.shape[0] or col >= board.shape[1]:
        return
    n = neighbours(board, row, col)
    after[row, col] = 1 if n == 3 or (board[row, col] and n == 2) else 0


board = np.zeros((20, 20), dtype=np.uint8)
board[5:8, 6] = 1
first = cuda.to_device(board)
second = cuda.device_array_like(first)
for _ in range(2):
    step[(3, 3), (8, 8)](first, second)
    first, second = second, first
assert (first.copy_to_host() == board).all()
