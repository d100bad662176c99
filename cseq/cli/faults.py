"""What users see of an exception: one line, and an exit status."""

from cseq.model.errors import CSeqError


def explained(error: BaseException, verbose: bool = False, command: str = "cseq") -> tuple[str, int]:
    """The line that reports *error* to the user, and the exit status.

    command: what a line without a place begins with; empty for nothing.
    """
    name = f"{command}: " if command else ""
    begin = f"{name}error: " if command else ""
    match error:
        case KeyboardInterrupt():
            return f"{name}interrupted", 130
        case CSeqError():
            return f"{f'{error.origin}: error: ' if error.origin else begin}{error.message}", error.exit_status
        case RecursionError():
            return f"{begin}the program is nested too deeply", 3
        case MemoryError():
            return f"{begin}out of memory", 3
        case OSError():
            place = f"{error.filename}: " if error.filename is not None else ""
            return f"{begin}{place}{error.strerror or error}", 3
        case ModuleNotFoundError():
            return f"{begin}{error}; in a checkout, `make setup` installs what is needed", 3
    # A bug in CSeq, which must not look like a bug in the user's program.
    from cseq.report.words import internal_error

    advice = "please report it" if verbose else "please report it with what --verbose shows"
    return f"{name}{internal_error(error)} ({advice})", 3
