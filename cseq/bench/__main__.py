"""``python -m cseq.bench``."""

import sys

from cseq.bench.cli import main

sys.exit(main())
