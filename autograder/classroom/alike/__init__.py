"""Who and what is alike in a class: names that a reader takes for one another, and answers."""
