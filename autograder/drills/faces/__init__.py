"""Ways to sit at the drills: a terminal, a widget, Anki."""
