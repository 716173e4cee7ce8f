"""Answers to unit 05 from outside: wrong ones, each of a class, and right ones in other styles, as in `answers`."""

FROM_WARPS = {  # exercise, source, line, what the verdict says
    "whoever is here votes": (
        "warps.pack_bits",
        """@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    if i < src.size:
        bits = cuda.ballot_sync(cuda.activemask(), src[i] > limit)
        if i % WARP == 0:
            words[i // WARP] = bits
""",
        5,
        "names the lanes that happen to be here, and not those that belong here",
    ),
}
