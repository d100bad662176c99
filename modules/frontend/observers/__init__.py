"""The stage `observers`, and what only it uses."""
