"""Who is active, what a variable is then, and how many lanes run at once."""
