"""What a class's GPU is given: machine code made in the jail, launches, and the judge's own inputs; no source.

compile (in the jail) -> PTX -> `ptx.gate` -> assemble (in another jail) -> machine code -> launcher -> bytes, times.
The launcher is a process of its own, which knows no exercise and no expected value. What it gives back is compared in
the process that judges, whose memory no kernel can reach.
"""
