"""The order that host code makes with streams and events, and what that order leaves open.

No GPU is needed: everything runs at once and one after the other; what a GPU could have done at the same time follows
from the rules of streams.
"""
