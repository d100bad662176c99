"""The paragraph of `--explain`: why an execution goes wrong."""
