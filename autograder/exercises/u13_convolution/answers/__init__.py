"""Answers to unit 13 that people write, right and wrong; one module per exercise."""
