"""The application: the command line, the Python interface, the choice of engines, the doctor."""
