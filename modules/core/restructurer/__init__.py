"""The stage `restructurer`, and what only it uses."""
