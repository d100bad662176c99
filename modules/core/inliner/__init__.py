"""The stage `inliner`, and what only it uses."""
