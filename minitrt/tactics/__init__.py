"""Ways to run an operation, and the contract they keep (`contract.py`); and a reader's own kernels among them (`own/`):

from minitrt import tactics
tactics.register(MyConvolution())                   # timed beside the engine's own from now on
with tactics.using(MyConvolution(), only=True):     # or: alone, in this block
    plan = builder.build_serialized_network(network, config)
"""

from minitrt.tactics.own.registry import register, registered, unregister, using
from minitrt.tactics.own.tactic import Call, Format, In, Out, OwnTactic, Scratch, TacticError

__all__ = [
    "Call",
    "Format",
    "In",
    "Out",
    "OwnTactic",
    "Scratch",
    "TacticError",
    "register",
    "registered",
    "unregister",
    "using",
]
