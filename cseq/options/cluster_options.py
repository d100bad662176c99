"""The options that say which cluster does the work, and whether its connections are encrypted."""

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass

from cseq.model.errors import UsageError
from cseq.pipeline.stage import Parameter

_MOST_WORKERS = 256
"""The most workers that `local:N` starts."""

_ADDRESS = re.compile(r"(tcp|tls)://(\[[0-9A-Fa-f:.%\w]+\]|[\w.-]+):(\d{1,5})")
_LOCAL = re.compile(r"local:(\d{1,9})")


@dataclass(frozen=True)
class Address:
    """Where a cluster is: the URL of its scheduler, or a number of workers to start on this machine.

    host: of the scheduler. workers: how many to start; 0 where there is a scheduler already.
    """

    url: str
    host: str = ""
    workers: int = 0

    @property
    def is_encrypted(self) -> bool:
        """Whether the connections are encrypted, and both ends show who they are."""
        return self.url.startswith("tls://")

    @property
    def is_near(self) -> bool:
        """Whether the scheduler can only be reached from this machine."""
        if self.workers or self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host.strip("[]")).is_loopback
        except ValueError:  # a name
            return False


def address(text: str) -> Address:
    """The address that *text* is. Raises ValueError where it is none."""
    if found := _LOCAL.fullmatch(text):
        number = int(found[1])
        if not 1 <= number <= _MOST_WORKERS:
            raise ValueError(f"`{text}` asks for {number} workers; local:1 to local:{_MOST_WORKERS} can be started")
        return Address(text, workers=number)
    found = _ADDRESS.fullmatch(text)
    if found is None or not 0 < int(found[3]) <= 65535:
        raise ValueError(f"`{text}` is not the address of a cluster: tcp://HOST:PORT, tls://HOST:PORT or local:N")
    return Address(text, found[2])


CLUSTER: Parameter[str | None] = Parameter(
    "cluster",
    str,
    None,
    "run the jobs on the dask cluster whose scheduler has this ADDRESS, tcp://HOST:PORT or tls://HOST:PORT; "
    "local:N starts N workers on this machine",
    ("--cluster",),
    "ADDRESS",
    check=address,
)
INSECURE = Parameter(
    "insecure",
    bool,
    False,
    "connect to a cluster on other machines without encryption: anyone who can reach the network can run programs "
    "there",
    ("--insecure",),
)
TLS_CA: Parameter[str | None] = Parameter(
    "tls_ca_file",
    str,
    None,
    "the certificate of the authority that signed the certificates of the cluster",
    ("--tls-ca-file",),
    "FILE",
)
TLS_CERT: Parameter[str | None] = Parameter(
    "tls_cert", str, None, "the client certificate for the cluster", ("--tls-cert",), "FILE"
)
TLS_KEY: Parameter[str | None] = Parameter(
    "tls_key", str, None, "the private key of that certificate", ("--tls-key",), "FILE"
)

CLUSTER_OPTIONS = (CLUSTER, INSECURE, TLS_CA, TLS_CERT, TLS_KEY)
"""All of them."""

_TLS = (TLS_CA, TLS_CERT, TLS_KEY)


def check_security(values: Mapping[str, object]) -> None:
    """Raise UsageError where *values* ask for a connection that anybody can listen to, unless that is what they ask."""
    text = CLUSTER.of(values)
    given = [parameter.options[0] for parameter in _TLS if parameter.of(values) is not None]
    if text is None:
        others = [*given, *(["--insecure"] if INSECURE.of(values) else [])]
        if others:
            raise UsageError(f"{others[0]} says how to connect to a cluster: it takes --cluster ADDRESS")
        return
    where = address(text)
    if given and not where.is_encrypted:
        raise UsageError(f"{given[0]} cannot be combined with --cluster {text}, which is not encrypted; tls://… is")
    if not (where.is_encrypted or where.is_near or INSECURE.of(values)):
        raise UsageError(
            f"--cluster {text}: anyone who can reach that network can run programs on the workers; use tls://… with "
            "--tls-ca-file, --tls-cert and --tls-key, or say --insecure if the network is yours alone"
        )
