# SPDX-License-Identifier: Apache-2.0
"""A director: its agent, and what the agent says about itself over the control socket."""
import http.client
import json
import os
import signal
import socket
from pathlib import Path

from . import namespaces
from .command import run
from .place import JAR, PROGRAM, LabError


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=10)
        self._path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


class Director:
    def __init__(self, host):
        self.host = host
        self.name = host.name
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

    # The kernel's word.

    def program_id(self):
        """Id of the XDP program on the director's interface; None without one."""
        interface = self.host.topology.link(self.name).host.name
        device = json.loads(self.host.ip("-j", "-d", "link", "show", interface).stdout)[0]
        return device.get("xdp", {}).get("prog", {}).get("id")


def _command_line(pid):
    try:
        return (Path("/proc") / str(pid) / "cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""
