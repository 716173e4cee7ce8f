"""Answers to unit 05 that people write, right and wrong; one module per exercise."""
