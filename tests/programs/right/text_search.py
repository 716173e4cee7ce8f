"""Counts a word in a text of bytes."""

import numpy as np
from numba import cuda


@cuda.jit
def count(text, word, found):
    i = cuda.grid(1)
    if i + word.size <= text.size:
        same = True
        for k in range(word.size):
            if text[i + k] != word[k]:
                same = False
                break
        if same:
            cuda.atomic.add(found, 0, 1)


text = np.frombuffer(b"the cat and the hat and the bat" * 5, np.uint8)
word, found = np.frombuffer(b"the", np.uint8), np.zeros(1, np.int32)
count[2, 128](text, word, found)
assert found[0] == 15
