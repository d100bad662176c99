"""The steps of threads."""

from typing import Any

import pytest

from cseq.c.symbols import Symbols
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.symbolic.encode.sequentializer import footprints as module
from cseq.modules.symbolic.encode.sequentializer.footprints import Footprint, footprints
from cseq.modules.symbolic.encode.sequentializer.threadfunction import ThreadFunction

HEADERS = "#include <pthread.h>\n#include <stdlib.h>\n"


@pytest.fixture
def steps(translated: Any) -> Any:
    """The footprints of the steps of each thread of a program."""

    def run(text: str) -> list[list[Footprint]]:
        unit = list(translated.units(translated.write(HEADERS + text), until="thread_instances"))[-1][1]
        context = translated.context()
        symbols = Symbols(unit.tree, context.model)
        visibility = Visibility(symbols, unit.tree)
        instances = [n for n in unit.tree.ext if type(n).__name__ == "FuncDef" and not module.lexicon.is_ours(n.coord)]
        numbers = {node.decl.name: number for number, node in enumerate(instances)}
        threads = [ThreadFunction(node, numbers, symbols, visibility) for node in instances]
        return footprints(threads, unit.tree, symbols, visibility)

    return run
