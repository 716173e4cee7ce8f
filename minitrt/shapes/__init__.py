"""Shapes: of one operation's results (`infer`), its shape-like inputs (`settle`), and a whole graph (`specialise`)."""

from minitrt.shapes.infer import infer
from minitrt.shapes.settle import UnknownShape, settle
from minitrt.shapes.specialise import specialise

__all__ = ["UnknownShape", "infer", "settle", "specialise"]
