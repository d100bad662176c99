"""The stage `checker`, and what it alone uses."""
