# SPDX-License-Identifier: Apache-2.0
"""Traffic of the client and what became of it: the programs of the lab, started on their hosts and read back."""
import contextlib
import json
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass

from .command import TimeUp
from .place import PROGRAMS, LabError
from .programs import pattern
from .slowness import pace, patience


@dataclass(frozen=True)
class Request:
    """One request of the load; times in seconds of the monotonic clock."""

    start: float
    seconds: float
    vip: str
    real: str | None
    error: str | None


@dataclass(frozen=True)
class Requests:
    rows: tuple

    def __len__(self):
        return len(self.rows)

    @property
    def lost(self):
        return [row for row in self.rows if row.error]

    def after(self, instant):
        """Those that began later."""
        return Requests(tuple(row for row in self.rows if row.start > instant))

    def of(self, vip):
        return Requests(tuple(row for row in self.rows if row.vip == vip))

    def by_real(self):
        return Counter(row.real for row in self.rows if row.real)

    def none_lost(self, when):
        """Raises with the first failures if there are any, or if nothing was asked at all."""
        if not self.rows:
            raise LabError(f"{when}: no request was made")
        if self.lost:
            first = "; ".join(f"{row.vip}: {row.error}" for row in self.lost[:3])
            raise LabError(f"{when}: {len(self.lost)} of {len(self.rows)} requests lost ({first})")

    @property
    def slowest(self):
        return max((row.seconds for row in self.rows), default=0.0)


class _Program:
    """One of the lab's programs, running on a host."""

    def __init__(self, host, script, *arguments):
        argv = [sys.executable, PROGRAMS / script, *arguments]
        self._what = f"{script} on {host.name}"
        self.process = subprocess.Popen(
            host.enter(argv), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )

    def output(self, seconds):
        """All that it prints until its end."""
        seconds = patience(seconds)
        try:
            return self.process.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired as e:
            raise TimeUp(f"{self._what}: not done after {seconds:g} s") from e

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


@contextlib.contextmanager
def _running(program):
    try:
        yield program
    finally:
        program.close()


class Load(_Program):
    """Requests over new connections, on all VIPs of a service in turn. Use as `with load(...) as l`."""

    def stop(self):
        self.process.terminate()
        return self.result(30)

    def result(self, seconds=300):
        rows = json.loads(self.output(seconds))["requests"]
        return Requests(tuple(Request(*row) for row in rows))


def load(client, service, **options):
    """Options are those of programs/load.py; on a slow machine there are fewer requests a second, with more time for each."""
    options["timeout"] = patience(options.get("timeout", 5))
    if "rate" in options:
        options["rate"] = options["rate"] / pace(1)
    arguments = [*service.vips, "--port", str(options.pop("port", service.port))]
    for name, value in options.items():
        arguments += [f"--{name}", str(value)]
    return _running(Load(client, "load.py", *arguments))


def ask(client, service, count, **options):
    """`count` requests, to the end."""
    with load(client, service, count=count, **options) as running:
        return running.result()


class Download(_Program):
    """One paced download. `flow` is what `Flows` knows it by."""

    def __init__(self, client, service, vip, size, seconds):
        super().__init__(client, "download.py", vip, str(service.port), str(size), str(pace(seconds)))
        self.vip = vip
        self._size = size
        first = json.loads(self.process.stdout.readline() or "{}")
        if "port" not in first:
            raise LabError(f"download from {vip}: {first.get('error', 'it did not start')}")
        self.flow = (vip, first["port"])

    def whole(self, seconds=90):
        """Waits for its end; returns what it says, and raises unless every byte is right."""
        result = json.loads(self.output(seconds))
        if result["error"]:
            raise LabError(f"download from {self.vip} by way of {result['real']}: {result['error']}")
        if result["sha256"] != pattern.sha256(self._size):
            raise LabError(f"download from {self.vip} by way of {result['real']}: the bytes differ")
        return result


def download(client, service, vip, size=8_000_000, seconds=8):
    return _running(Download(client, service, vip, size, seconds))


class Upload(_Program):
    """An upload of which the real has the first half when this is made."""

    def __init__(self, client, service, vip, size, seconds, segment):
        options = ["--pause", "--segment", str(segment)]
        super().__init__(client, "upload.py", vip, str(service.port), str(size), str(patience(seconds)), *options)
        self.vip = vip
        self._size = size
        self._seconds = patience(seconds)
        first = json.loads(self.process.stdout.readline() or "{}")
        if "half" not in first:
            raise LabError(f"upload to {vip}: {first.get('error', 'it did not start')}")

    def go_on(self):
        """With the other half. What it says in the end, be it a failure."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return json.loads(self.output(self._seconds + 30))

    def whole(self):
        """The same; raises unless a real had every byte."""
        result = self.go_on()
        if result["error"] or result["sha256"] != pattern.sha256(self._size):
            raise LabError(f"upload to {self.vip}: {result['error'] or 'other bytes arrived'}")
        return result


def half_upload(client, service, vip, size=1_000_000, seconds=10, segment=0):
    """`segment`: the most bytes in one; 0: as many as there is room for."""
    return _running(Upload(client, service, vip, size, seconds, segment))


class Flows(_Program):
    """Which interface of the router the packets of each flow of a client take."""

    def __init__(self, router, client, service):
        addresses = ",".join(client.topology.address(client.name, family) for family in (4, 6))
        super().__init__(router, "flows.py", str(service.port), addresses, *service.vips)
        self.process.stdout.readline()  # it watches from now on

    def ways(self):
        """(VIP, client's port) → [(interface, packets), ...], in the order taken."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        flows = json.loads(self.process.stdout.readline())
        return {(vip, port): [tuple(way) for way in ways] for vip, port, ways in flows}

    def way(self, flow):
        """The interface that the flow takes now, or None."""
        ways = self.ways().get(flow)
        return ways[-1][0] if ways else None


def flows(router, client, service):
    return _running(Flows(router, client, service))


class Outers(_Program):
    """The outer sources of the tunnel packets that come to a real."""

    def __init__(self, real):
        super().__init__(real, "outers.py")
        self.process.stdout.readline()  # it watches from now on

    def sources(self):
        """Address → packets, of the directors' probes too."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return Counter(dict(json.loads(self.process.stdout.readline())))


def outers(real):
    return _running(Outers(real))
