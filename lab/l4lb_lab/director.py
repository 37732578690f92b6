# SPDX-License-Identifier: Apache-2.0
"""A director: its agent, and what the agent says about itself over the control socket."""
import http.client
import json
import os
import signal
import socket
from pathlib import Path

from . import dataplanes, namespaces
from .command import run, wait_until
from .place import JAR, PROGRAM, LabError
from .slowness import patience

NO_ANSWER = 3  # exit status of the command line program


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=patience(10))
        self._path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


class Director:
    def __init__(self, host):
        self.host = host
        self.name = host.name
        self._dataplane = dataplanes.OF[host.dataplane]
        self.config = host.place.agent_config(host.name)
        self.socket = host.place.socket(host.name)

    # The agent's process.

    def start(self):
        if not JAR.exists():
            raise LabError(f"{JAR} is not there: mvn -q -DskipTests package builds it")
        self.host.start("agent", [PROGRAM, "agent", "--config", self.config])

    def stop(self):
        self.host.end("agent", signal.SIGTERM)

    def crash(self):
        self.host.end("agent", signal.SIGKILL)

    def speaker_pids(self):
        """ExaBGP and its bridge: whatever runs here beside the agent and has ExaBGP, or the bridge, on its command line."""
        agent = self.host.pid("agent")
        found = namespaces.pids(self.host.place.namespace(self.name))
        return [pid for pid in found if pid != agent and b"bgp" in _command_line(pid)]

    def kill_speaker(self):
        for pid in self.speaker_pids():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    # The agent's word. Asked over its socket and not by the command, since starting a JVM a dozen times a second would
    # disturb what is measured; the command gives the same objects.

    def status(self):
        return self._get("/v1/status")

    def service(self, name):
        return self._get(f"/v1/services/{name}")

    def real(self, service, address):
        """One real of a service."""
        return next(real for real in self.service(service)["reals"] if real["address"] == address)

    def answers(self):
        """The status, or None while the agent does not answer."""
        try:
            return self.status() if self.host.pid("agent") else None
        except LabError:
            return None

    def command(self, *arguments, check=True):
        """Runs the command line program against this agent; returns the finished process."""
        return run([PROGRAM, "--socket", self.socket, *arguments], check=check)

    def shown(self, *arguments):
        """
        What a command prints that only looks; asked again while the agent takes longer than the command waits, which has its
        own idea of how long that may be, and none of how slow this machine is.
        """

        def done():
            process = self.command(*arguments, check=False)
            return None if process.returncode == NO_ANSWER else process

        process = wait_until(done, f"{self.name}'s answer to l4lb {' '.join(arguments)}", 10)
        if process.returncode:
            raise LabError(f"{self.name}: l4lb {' '.join(arguments)}: exit status {process.returncode}: {process.stderr.strip()}")
        return process.stdout

    def reload(self):
        return self.command("reload", check=False)

    def _get(self, path):
        connection = _UnixConnection(self.socket)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            body = response.read()
        except (OSError, http.client.HTTPException) as e:
            raise LabError(f"{self.name}: no answer to {path} on {self.socket}: {e}") from e
        finally:
            connection.close()
        if response.status != 200:
            raise LabError(f"{self.name}: {path}: status {response.status}: {body.decode(errors='replace')[:200]}")
        return json.loads(body)

    # What forwards: the kernel's word as far as it goes.

    def shares(self, service):
        """Address of each real of a service → its part of the new flows."""
        return self._dataplane.shares(self, service)

    def table(self, service):
        """Something that is the same where the same flows go to the same reals."""
        return self._dataplane.table(self, service)

    def installed(self):
        """What the kernel has, for a person to read; empty: nothing."""
        return self._dataplane.installed(self)

    def kept(self, before, after):
        """Whether a new agent took over what `installed` said before."""
        return self._dataplane.kept(before, after)


def _command_line(pid):
    try:
        return (Path("/proc") / str(pid) / "cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""
