"""A trace in words."""
