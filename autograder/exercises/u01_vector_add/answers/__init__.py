"""Answers to unit 01 that people write, right and wrong; one module per exercise."""
