"""A search that counts threads, after Karp and Miller: any number of threads of one kind."""
