"""The stage `stepper` and its private helpers."""
