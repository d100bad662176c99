"""`--reproducer`: a program, made from the user's own text, that fails as a counterexample does."""
