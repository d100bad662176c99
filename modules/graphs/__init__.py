"""The family of execution graphs: programs under the memory model of C11."""
