"""The stage `unroller`, and what it alone uses."""
