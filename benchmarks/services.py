"""PostgreSQL and Redis servers of our own, which may be killed; for benchmarks and tests.

Both listen on a Unix socket in a folder of their own and nowhere else.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

START_SECONDS = 60.0
USER = "fernzug"


class Missing(Exception):
    """A program is not installed."""


def postgres_programs() -> Path:
    """Return the folder of PostgreSQL's programs, which Debian keeps out of the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    if found:
        return found[-1].parent
    if on_path:
        return Path(on_path).parent
    raise Missing("PostgreSQL is not installed (Debian: apt install postgresql)")


def redis_program() -> str:
    """Return the path of the Redis server."""
    found = shutil.which("redis-server")
    if found is None:
        raise Missing("Redis is not installed (Debian: apt install redis-server)")
    return found


class Service:
    """A server process that can be killed and started again on the same data."""

    def __init__(self) -> None:
        # The path of a Unix socket has to be short.
        self.folder = Path(tempfile.mkdtemp(prefix="fz-", dir="/tmp"))
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def start(self) -> None:
        """Start the server, and return when it answers."""
        end = time.monotonic() + START_SECONDS
        while True:
            with (self.folder / "log").open("ab") as log:
                self.process = subprocess.Popen(
                    self._command(), stdout=log, stderr=log, cwd=self.folder
                )
            while self.process.poll() is None and time.monotonic() < end:
                if self._answers():
                    return
                time.sleep(0.02)
            if time.monotonic() > end:
                words = (self.folder / "log").read_text()
                raise RuntimeError(f"{type(self).__name__} does not start: {words[-2000:]}")
            # What was killed may still be dying, and hold its lock.
            time.sleep(0.1)

    def _command(self) -> list[str]:
        raise NotImplementedError

    def _answers(self) -> bool:
        raise NotImplementedError

    @property
    def pid(self) -> int:
        """The id of the process that was started."""
        assert self.process is not None
        return self.process.pid

    def kill(self) -> None:
        """Kill the server without warning."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def close(self) -> None:
        """Stop the server and delete its data."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def cpu_seconds(self) -> float:
        """Return the CPU time of the server and its processes, also of those that have ended."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return sum(_cpu_seconds(pid) for pid in (str(self.pid), *children))


class Postgres(Service):
    """A PostgreSQL server with the database that :attr:`url` names."""

    def __init__(self, *, fsync: bool = True) -> None:
        self._programs = postgres_programs()
        super().__init__()
        self._fsync = fsync
        # PostgreSQL refuses to run as root.
        self._as_user: list[str] = []
        if os.getuid() == 0:
            self._as_user = ["setpriv", "--reuid", _user(), "--regid", _group(), "--clear-groups"]
            shutil.chown(self.folder, _user(), _group())
        data = self.folder / "data"
        subprocess.run(
            [
                *(*self._as_user, str(self._programs / "initdb"), "--no-sync", "--no-instructions"),
                *("--auth", "trust", "--username", USER, "--encoding", "UTF8", "--locale", "C"),
                *("--pgdata", str(data)),
            ],
            check=True,
            capture_output=True,
            cwd=self.folder,
        )
        self.start()

    def url_of(self, database: str) -> str:
        """Return the address of a database."""
        return f"postgresql://{USER}@/{database}?host={self.folder}"

    @property
    def url(self) -> str:
        """The address of the database that is there from the start."""
        return self.url_of("postgres")

    def run_sql(self, statement: str) -> str:
        """Carry out a statement, and return what it says."""
        words = [str(self._programs / "psql"), "-h", str(self.folder), "-U", USER, "-d", "postgres"]
        done = subprocess.run(
            [*words, "-AtXqc", statement], check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def backends(self) -> list[int]:
        """Return the ids of the processes that serve clients; none while it recovers."""
        statement = "SELECT pid FROM pg_stat_activity WHERE application_name = 'fernzug'"
        try:
            return [int(line) for line in self.run_sql(statement).splitlines()]
        except subprocess.CalledProcessError:
            return []

    def _command(self) -> list[str]:
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "shared_buffers": "16MB",
            "fsync": "on" if self._fsync else "off",
        }
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        data = str(self.folder / "data")
        return [*self._as_user, str(self._programs / "postgres"), "-D", data, *words]

    def _answers(self) -> bool:
        words = [str(self._programs / "pg_isready"), "-q", "-h", str(self.folder)]
        return subprocess.run(words, check=False).returncode == 0

    def close(self) -> None:
        """Stop the server and delete its data."""
        if self.process is not None:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait()
            self.process = None
        super().close()


class Redis(Service):
    """A Redis server that keeps nothing."""

    def __init__(self) -> None:
        self._program = redis_program()
        super().__init__()
        self.start()

    @property
    def url(self) -> str:
        """The address of the server."""
        return f"unix://{self.folder}/redis.sock"

    def _command(self) -> list[str]:
        socket = str(self.folder / "redis.sock")
        return [self._program, "--port", "0", "--unixsocket", socket, "--save", ""]

    def _answers(self) -> bool:
        words = ["redis-cli", "-s", str(self.folder / "redis.sock"), "ping"]
        return subprocess.run(words, check=False, capture_output=True).stdout == b"PONG\n"


def _cpu_seconds(pid: str) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    # User and system time of the process, and of its children that have ended.
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _user() -> str:
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        return "nobody"


def _group() -> str:
    import grp

    return grp.getgrgid(pwd.getpwnam(_user()).pw_gid).gr_name
