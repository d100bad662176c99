"""The explicit family: threads as resumable step functions over one tracked state."""
