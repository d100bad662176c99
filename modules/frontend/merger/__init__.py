"""The stage `merger`, and what only it uses."""
