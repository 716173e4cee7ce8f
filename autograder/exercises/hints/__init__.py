"""Hint ladders, one module a unit: nudge, concept, place, skeleton. Contracts import them by exercise."""
