"""A project as it is built: the programs that its compilation database and its tests name, each checked for itself."""
