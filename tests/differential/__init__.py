"""Differential testing: generated kernels leave the same bytes on `simt`, on a GPU, and on numba's simulator.

A program follows from a seed, or from the decisions that hypothesis draws. It has no race, no undefined behaviour, and
no operation that is not rounded exactly, so its bytes are known once any machine has run it.

    choices.py                      where decisions come from; writer.py, what may be used where
    integers.py, floats.py, ...     expressions; statements.py, effects.py, phases.py, statements and cooperation
    program.py                      a whole kernel with its launch; data.py, what its arrays hold
    execute.py, compare.py          run it somewhere; the same bytes?
    shrink.py, lines.py             the smallest program that differs, with both results by line
    campaign.py, golden.py          thousands of seeds in processes; the answers of a GPU, recorded
    found.py                        what this has found

`python -m tests.differential --help` lists the commands. Where a GPU's answers must be taken anew:

    python -m tests.differential run --device cuda --seeds 0:4400 --workers 16 --out FILE
    python -m tests.differential record FILE
"""
