"""Unit 19 in numbers: layers with their bounds, ways to run with their budgets, and what mistakes make of them."""
