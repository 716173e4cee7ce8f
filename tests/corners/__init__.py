"""Corners of arithmetic: what a GPU gives where NumPy, C and Python disagree, and the same on `simt`.

Floats that no integer holds, division by zero, shifts that are too wide, signed beside unsigned, functions at their
poles: one expression a case, over a grid of odd values.

    values.py    the odd values of each type
    cases.py     the expressions; more_cases.py, those of functions
    running.py   kernels of several cases, on a GPU or on `simt`
    known.py     where the two may differ, and why
    record.py    what a GPU left, in tests/golden/corners.json, and where `simt` leaves something else

Where there is a GPU:

    python -m tests.corners record --out FILE     a few minutes: compiles, launches, writes
    python -m tests.corners compare [FILE]        where the interpreter differs; needs no GPU
"""
