# SPDX-License-Identifier: Apache-2.0
"""One host of a running lab: commands, role script and daemons on it."""
import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import dataplanes, roles
from .command import run, wait_until
from .place import Place
from .topology import HostData, Topology


@dataclass(frozen=True)
class Host:
    place: Place
    topology: Topology
    data: HostData
    dataplane: str = dataplanes.USUAL  # of the lab's directors

    @property
    def name(self):
        return self.data.name

    @property
    def directory(self):
        return self.place.host(self.name)

    def enter(self, argv):
        """The command that runs `argv` on this host; it keeps the process id."""
        return ["ip", "netns", "exec", self.place.namespace(self.name), *map(str, argv)]

    def run(self, argv, **options):
        return run(self.enter(argv), **options)

    def ip(self, *arguments, **options):
        return run(["ip", "-n", self.place.namespace(self.name), *arguments], **options)

    def apply_role(self, *arguments):
        """Runs the role's script, or a part of it, to its end. Safe to repeat."""
        argv, environment = self.role_command(*arguments)
        return run(argv, env=environment)

    def role_command(self, *arguments):
        """The command that does so, and its environment."""
        environment = {**os.environ, **roles.environment(self.topology, self.data, where=self.place, dataplane=self.dataplane)}
        return self.enter([roles.script(self.data), *arguments]), environment

    # Daemons. A pid file holds the pid and the start time, so that a pid that was given away again is never taken for ours.

    def start(self, daemon, argv):
        """Starts it detached; its output goes to DAEMON.log."""
        if self.pid(daemon):
            return
        with open(self.log(daemon), "ab") as log:
            process = subprocess.Popen(
                self.enter(argv), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, cwd="/"
            )
        _children.append(process)
        self._pid_file(daemon).write_text(f"{process.pid} {_start_time(process.pid)}\n")

    def pid(self, daemon):
        """Its process id while it lives, else None."""
        file = self._pid_file(daemon)
        if not file.exists():
            return None
        pid, start_time = file.read_text().split()
        return int(pid) if _start_time(int(pid)) == start_time else None

    def end(self, daemon, how=signal.SIGTERM, seconds=15):
        """Signals it and waits for its end; returns the pid that it had."""
        pid = self.pid(daemon)
        if pid:
            os.kill(pid, how)
            wait_until(lambda: not self.pid(daemon), f"the end of {daemon} on {self.name}", seconds, 0.01)
        return pid

    def log(self, daemon):
        return self.directory / f"{daemon}.log"

    def _pid_file(self, daemon):
        return self.directory / f"{daemon}.pid"


_children = []  # of this process: to be reaped, so that none of them stays a zombie


def _start_time(pid):
    """Of a process that lives, in the kernel's ticks; None for one that does not, or is a zombie."""
    for child in _children:
        child.poll()
    try:
        fields = (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] in "ZX" else fields[19]
