"""A program that fails as a counterexample does, made of the user's own text: `--reproducer`."""
