"""Several programs in one run, each a task of its own: which there are, how they are done, what is reported."""
