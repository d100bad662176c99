"""What the user sees of a run: one file per form. A report takes what a run gave and returns a text."""
