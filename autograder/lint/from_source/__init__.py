"""What the text of one function gives away, in one module for each kind of mistake; `ast_rules` asks all of them."""
