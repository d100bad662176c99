"""The stage `checker` and its private helpers."""
