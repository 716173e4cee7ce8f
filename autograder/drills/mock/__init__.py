"""A mock interview: planned from a seed, timed, pausable, taken up after a crash, with a scored report."""
