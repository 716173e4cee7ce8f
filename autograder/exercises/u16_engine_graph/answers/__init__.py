"""Answers to unit 16 that people write, right and wrong; one module per exercise."""
