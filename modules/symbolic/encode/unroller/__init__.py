"""The stage `unroller` and its private helpers."""
