"""The stage `linearizer`, and what only it uses."""
