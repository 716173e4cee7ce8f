"""Answers to unit 11 that people write, right and wrong; one module per exercise."""
