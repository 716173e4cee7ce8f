"""Drills: interview practice, ten minutes a day: `warpbook drill`."""
