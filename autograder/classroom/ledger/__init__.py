"""What grading did, written down as it happens: each record follows from the one before, and none is ever changed."""
