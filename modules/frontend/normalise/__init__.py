"""The stage `normalise`, and what only it uses."""
