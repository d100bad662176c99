"""Run the scripts in setup/ that provide engines."""

import subprocess
from pathlib import Path


class Provider:
    """A machine on which the script at *provider* is run, with *environment*. root: its home directory."""

    provider: Path
    root: Path
    environment: dict[str, str]

    @property
    def engines(self) -> Path:
        """Where it keeps what it has provided."""
        return self.root / ".cache/cseq/engines"

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.provider, *arguments],
            env={**self.environment, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def provided(self, *arguments: str, **environment: str) -> str:
        """The path that the script prints; it must succeed."""
        result = self.run(*arguments, **environment)
        assert result.returncode == 0, result.stderr
        return result.stdout.splitlines()[-1]

    def refusal(self, *arguments: str, **environment: str) -> str:
        """The last line of the script's error message; it must fail, print no path, and leave nothing behind."""
        result = self.run(*arguments, **environment)
        assert result.returncode == 1
        assert result.stdout == ""
        assert not self.engines.exists() or list(self.engines.iterdir()) == []
        return result.stderr.splitlines()[-1]
