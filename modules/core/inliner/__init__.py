"""The stage `inliner`, and what it alone uses."""
