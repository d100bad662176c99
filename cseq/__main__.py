"""``python -m cseq``."""

import sys

from cseq.cli.main import main

sys.exit(main())
