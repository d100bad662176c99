"""The check of certificates of race and deadlock freedom: `check` decides whether one shows what it claims.

Independent of the analysis that makes them: nothing here imports it, and the transfer functions are written anew.
"""

from cseq.modules.modular.certificate.checking import Answer, Status, check
from cseq.modules.modular.certificate.form import Certificate

__all__ = ["Answer", "Certificate", "Status", "check"]
