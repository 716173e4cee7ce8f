"""Answers to unit 14 that people write, right and wrong; one module per exercise."""
