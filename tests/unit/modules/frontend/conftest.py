"""Programs that were preprocessed with the system's headers."""

from textwrap import dedent

import pytest

from tests.support.system_headers import X86_64


@pytest.fixture
def left(translated):
    """The output of a stage for the system's declarations, followed by a program."""

    def run(program: str, stage: str = "merger", name: str = "program.i") -> str:
        path = translated.write(X86_64 + dedent(program), name)
        return list(translated.units(path, until=stage, keep_unused=False))[-1][1].text

    return run
