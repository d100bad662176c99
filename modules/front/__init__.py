"""From the user's files to one program with types and names of its own."""
