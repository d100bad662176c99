"""The stage `restructurer`, and what it alone uses."""
