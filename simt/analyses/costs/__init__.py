"""What accesses, branches and arithmetic cost, line by line: one counter or few a file."""
