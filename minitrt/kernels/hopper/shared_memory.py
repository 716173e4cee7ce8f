"""Where barriers lie in a block's shared memory, and where all else begins: offsets in bytes."""

FULL, EMPTY, BARRIER_PAIR = 0, 8, 16  # of one stage's or slot's pair of barriers, from its beginning
SLOT_BARRIERS, WEIGHTS_BARRIER, SUMS_BARRIER = 512, 768, 776  # the stages' come first
WEIGHTS = 1024  # behind the barriers: weights that stay, where there are any
ALIGNMENT = 1024  # of every tile that is swizzled
