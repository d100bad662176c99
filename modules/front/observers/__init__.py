"""The stage `observers`, and what it alone uses."""
