"""``python -m cseq.bench``."""

import sys

from cseq.bench.command import main

sys.exit(main())
