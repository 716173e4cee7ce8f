"""Files of what is expected, and the programs that write them."""
