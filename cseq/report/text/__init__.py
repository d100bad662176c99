"""Reports for the terminal."""
