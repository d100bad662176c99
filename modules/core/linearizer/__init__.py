"""The stage `linearizer`, and what it alone uses."""
