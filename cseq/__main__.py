"""``python -m cseq``."""

import sys

from cseq.cli import main

sys.exit(main())
