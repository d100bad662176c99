"""Reports: what the user sees of a run, one package per form. A report takes the outcome of a run and returns text."""
