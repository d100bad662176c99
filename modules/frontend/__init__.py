"""From the user's files to one program with our own types of threads, and with unique names."""
