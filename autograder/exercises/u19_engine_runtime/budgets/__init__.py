"""Unit 19 in numbers: layers with their bounds, gains of an engine, budgets, and what mistakes make of them."""
