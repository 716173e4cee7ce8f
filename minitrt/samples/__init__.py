"""Trained networks that ship with the engine, to build, to time and to compress."""
