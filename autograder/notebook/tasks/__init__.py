"""The picture of a task: which part of its arrays it shows, and how it is drawn."""
