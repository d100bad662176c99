"""The stage `builder` and its private helpers."""
