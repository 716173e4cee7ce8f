"""Answers to unit 20 that people write, right and wrong; one module per exercise."""
