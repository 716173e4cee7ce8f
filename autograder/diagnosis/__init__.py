"""From what a run showed to causes that a learner can act on."""
