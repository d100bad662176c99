"""``python -m cseq``."""

import sys

from cseq.app.cli import main

sys.exit(main())
