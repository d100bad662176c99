"""The stage `specifier`, and what only it uses."""
