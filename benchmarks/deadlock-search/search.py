"""One search for deadlocks in one program, and nothing else: prints the verdict and the engine's seconds as JSON.

python -m benchmarks.deadlock-search.search FILE CHAIN BITS ROUNDS UNWIND
"""

from __future__ import annotations

import json
import sys

from cseq.api import run
from cseq.pipeline.chain import load
from cseq.portfolio.families import Configuration


def main(file: str, name: str, bits: str, rounds: str, unwind: str) -> None:
    """Check the one property with the chain *name*, whose planner would ask for more."""
    chain = load(name)
    chain.planner = None
    values = chain.values({"property": "no-deadlock", "bits": bits, "rounds": rounds, "unwind": unwind})
    outcome = run(Configuration(chain, values), [file])
    print(json.dumps({"verdict": outcome.verdict.value, "engine": outcome.times["symbolic/run"]}))


main(*sys.argv[1:])
