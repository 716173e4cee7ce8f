"""An Outcome as text, HTML and JSON. Each renderer shows the same parts in the same order: what the learner
observes, the one cause that explains it best with its lines, then one thing to do."""
