"""The symbolic family: a bounded sequential program for an engine that checks sequential C."""
