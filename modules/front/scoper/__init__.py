"""The stage `scoper`, and what only it uses."""
