"""Answers to unit 12 that people write, right and wrong; one module per exercise."""
