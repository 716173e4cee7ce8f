"""Answers to unit 19 that people write, right and wrong; one module per exercise."""
