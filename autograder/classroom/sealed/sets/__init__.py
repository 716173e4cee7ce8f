"""What timed answers are given and what is expected of them: drawn, kept in memory without a name, shared."""
