"""The stage `scoper`, and what it alone uses."""
