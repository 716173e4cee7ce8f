"""Types of the public API that every stage may use: enumerations, dimensions, weights, logger."""
