"""What a learner knows: reviews in a file, when a card comes back, what a sitting asks."""
