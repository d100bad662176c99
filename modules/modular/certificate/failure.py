"""How a check of a certificate ends early."""


class RejectedError(Exception):
    """The certificate does not show what it claims; the message says where."""


class UncoveredError(Exception):
    """The program, or a reason, is of a kind that the checker does not know; the message names it."""
