"""The stage `control_flow`, and what only it uses."""
