"""The compiled family: the user's own build, run under a scheduler of ours."""
