"""Shapes: of one operation's results (`infer`), its shape-like inputs (`settle`), and a whole graph (`specialise`)."""

from minitrt.shapes.inference import infer
from minitrt.shapes.misfits import TooSmall, UnknownShape
from minitrt.shapes.settling import settle
from minitrt.shapes.specialisation import specialise, waits

__all__ = ["TooSmall", "UnknownShape", "infer", "settle", "specialise", "waits"]
