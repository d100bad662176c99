"""The stage `chooser`, and what it alone uses."""
