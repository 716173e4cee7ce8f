"""What a text of machine code may say: a reader of our own, and the closed list that it knows."""
