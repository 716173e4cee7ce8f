"""Answers to unit 07 that people write, right and wrong; one module per exercise."""
