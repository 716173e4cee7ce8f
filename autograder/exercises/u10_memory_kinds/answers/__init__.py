"""Answers to unit 10 that people write, right and wrong; one module per exercise."""
