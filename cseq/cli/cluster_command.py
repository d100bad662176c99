"""The command `cseq cluster`: what is known about the machines of a cluster."""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cseq.cli.console import write
from cseq.model.errors import UsageError
from cseq.options.cluster_options import CLUSTER, CLUSTER_OPTIONS, address, check_security

if TYPE_CHECKING:
    from cseq.cli.options import Command

_HELP = """\
Usage: cseq cluster doctor [OPTIONS] ADDRESS

  List what is installed on each worker of a dask cluster, and what differs.
  `cseq cluster doctor --help` lists the options.
"""

_ABOUT = """List what is installed on each worker of a dask cluster, and what differs.

ADDRESS is the address of the scheduler: tcp://HOST:PORT or tls://HOST:PORT.

Exit status: 0 if all workers have the tools of this machine, and the same tools as each other; 1 if something differs;
2 if the command line is at fault, 3 if the cluster does not answer."""


def command() -> Command:
    """The command `cseq cluster doctor` with its options."""
    import click

    from cseq.cli.options import command_with, options_of, own_option, own_options

    options = options_of(parameter for parameter in CLUSTER_OPTIONS if parameter is not CLUSTER)
    options += [own_option(names, value, text) for names, value, text in own_options() if names[-1] == "--help"]
    argument = click.Argument(["own_address"], metavar="ADDRESS", required=False)
    return command_with("cseq cluster doctor", _ABOUT, options, [argument])


def cluster_command(words: list[str]) -> int:
    """Do what `cseq cluster` is asked for in *words*; returns the exit status. Raises CSeqError."""
    from cseq.cli.options import parsed

    if not words or words[0] in ("-h", "--help"):
        return write(_HELP)
    if words[0] != "doctor":
        raise UsageError(f"`cseq cluster` has no command `{words[0]}`, only `doctor`")
    found = parsed(command(), words[1:])
    if isinstance(found, str):
        return write(found)
    own, values = found
    if not own.get("address"):
        raise UsageError("which cluster is meant? `cseq cluster doctor tcp://HOST:PORT`")
    return _doctor(str(own["address"]), values)


def _doctor(text: str, values: Mapping[str, Any]) -> int:
    """Write what is installed on the workers of the cluster at the address *text*."""
    try:
        where = address(text)
    except ValueError as error:
        raise UsageError(str(error)) from None
    if where.workers:
        raise UsageError(f"{text} starts workers on this machine, about which `cseq doctor` knows everything")
    check_security({**values, CLUSTER.name: text})
    if importlib.util.find_spec("distributed") is None:
        raise UsageError("`cseq cluster` takes dask.distributed: pip install 'lazy-cseq[cluster]'")
    from cseq.portfolio.cluster.comparison import compared
    from cseq.portfolio.cluster.connection import configure, installed_on, security
    from cseq.portfolio.cluster.messages import tls_of

    configure()
    encrypts = security(tls_of(values)) if where.is_encrypted else None
    table, is_same = compared(asyncio.run(installed_on(text, encrypts)))
    write(table)
    return 0 if is_same else 1
