"""One search for deadlocks in one program, and nothing else: prints the verdict and the engine's seconds as JSON.

python benchmarks/deadlock-search/search.py FILE CHAIN BITS ROUNDS UNWIND
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from cseq.app.api import run
from cseq.pipeline.chain import load


def main(file: str, name: str, bits: str, rounds: str, unwind: str) -> None:
    """Check the one property with the chain *name*, whose planner would ask for more."""
    chain = load(name)
    chain.planner = None
    values = chain.values({"property": "no-deadlock", "bits": bits, "rounds": rounds, "unwind": unwind})
    outcome = run(chain, [file], values)
    print(json.dumps({"verdict": outcome.verdict.value, "engine": outcome.times["feeder"]}))


main(*sys.argv[1:])
