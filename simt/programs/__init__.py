"""Whole programs under the interpreter: every launch is traced, and what is found is told once, by source line."""
