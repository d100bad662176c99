"""The stage `merger`, and what it alone uses."""
