"""The stage `three_address`, and what only it uses."""
