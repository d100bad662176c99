"""The page of `--html`: one file for a browser."""
