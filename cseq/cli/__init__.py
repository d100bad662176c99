"""The application: command line, Python interface, choice of engines, and `cseq doctor`."""
