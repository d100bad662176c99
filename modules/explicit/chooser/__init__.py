"""The stage `chooser` and its private helpers."""
