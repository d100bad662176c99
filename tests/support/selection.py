"""Whether all cases run: ``pytest --all`` sets it, and this is the only place that is asked.

Without it a test that is repeated for many programs takes a selection of them.
"""

_chosen = {"all": False}


def choose(everything: bool) -> None:
    """For ``tests/conftest.py``, before any test is collected."""
    _chosen["all"] = everything


def everything() -> bool:
    """Whether all cases run, and not the selection that runs on every change."""
    return _chosen["all"]
