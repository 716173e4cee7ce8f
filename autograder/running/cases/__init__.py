"""Which cases an answer meets: the contract's, and those that follow from it, from its domain and from the answer."""
