"""Answers to unit 21 that people write, right and wrong; one module per exercise."""
