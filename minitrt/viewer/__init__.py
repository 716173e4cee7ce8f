"""An engine as one page: the graph after each pass, and the layers with their tactics and times."""
