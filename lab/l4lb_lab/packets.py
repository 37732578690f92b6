# SPDX-License-Identifier: Apache-2.0
"""Single packets of the client and what came back: the lab's programs that end by themselves, and what the directors counted."""
import json
import sys

from .command import wait_until
from .place import PROGRAMS, LabError
from .programs import pattern
from .slowness import patience

SIZE = 2_000_000  # bytes of a transfer
PATIENCE = 10  # seconds for it


def ask(client, requests):
    """Results of programs/ask.py, in the order of the requests."""
    requests = [{**request, "patience": patience(request.get("patience", 1))} for request in requests]
    return _json(client, "ask.py", json.dumps(requests))


def replies(client, requests):
    """What the reals said; raises unless every request had an answer that says that the request arrived whole."""
    results = ask(client, requests)
    for request, result in zip(requests, results):
        if not result["reply"]:
            raise LabError(f"no answer to {_shown(request)}, {len(results)} were asked")
        if "size" in request and result["reply"]["sha256"] != pattern.sha256(request["size"]):
            reply = result["reply"]
            raise LabError(f"{_shown(request)} came to {reply['real']} with other bytes: {reply['length']} in all")
    return [result["reply"] for result in results]


def ping(client, address, tries=1):
    """[[ttl, problem], ...]"""
    return _json(client, "echo.py", "ping", address, tries)


def trace(client, address, port, how):
    """[[from, reached] or None, ...], hop by hop."""
    return _json(client, "echo.py", "trace", address, port, how)


def try_upload(client, vip, port, size=SIZE, seconds=PATIENCE, segment=0):
    """What programs/upload.py says, be it a failure. `segment`: the most bytes in one."""
    return _json(client, "upload.py", vip, port, size, patience(seconds), "--segment", segment)


def upload(client, vip, port, size=SIZE, seconds=PATIENCE, segment=0):
    """The same; raises unless a real had every byte."""
    said = try_upload(client, vip, port, size, seconds, segment)
    if said["error"] or said["sha256"] != pattern.sha256(size):
        raise LabError(f"upload to {vip} port {port}: {said['error'] or 'other bytes arrived'}")
    return said


def download(client, vip, port, size=SIZE):
    """As fast as it goes; what programs/download.py says at its end. Raises unless every byte came."""
    said = _json(client, "download.py", vip, port, size, 0)
    if said["error"] or said["sha256"] != pattern.sha256(size):
        raise LabError(f"download from {vip} port {port}: {said['error'] or 'other bytes came'}")
    return said


def forget_paths(*hosts):
    """Takes away what they learned about path MTUs."""
    for host in hosts:
        host.ip("route", "flush", "cache")
        host.ip("-6", "route", "flush", "cache")


def path_mtu(host, destination, source):
    """What it has learned about the way there; None where it has learned nothing."""
    found = json.loads(host.ip("-j", "route", "get", destination, "from", source).stdout)[0]
    return next((metrics["mtu"] for metrics in found.get("metrics", []) if "mtu" in metrics), None)


class Verdicts:
    """What the directors' XDP programs decided since this was made. The agents read the counters once a second."""

    def __init__(self, lab):
        self._lab = lab
        self._before = self._counts()

    def _counts(self):
        return {director.name: director.status()["verdicts"] for director in self._lab.directors}

    def since(self, verdict):
        """Packets by director."""
        now = self._counts()
        return {name: counts.get(verdict, 0) - self._before[name].get(verdict, 0) for name, counts in now.items()}

    def wait(self, verdict, packets, seconds=5):
        """Until all of them together have counted so many; returns how many there are."""

        def counted():
            total = sum(self.since(verdict).values())
            return total if total >= packets else None

        return wait_until(counted, f"{packets} packets that the directors count as {verdict}", seconds, 0.2)


def _json(host, program, *arguments):
    """The last line that the program prints."""
    return json.loads(host.run([sys.executable, PROGRAMS / program, *arguments]).stdout.splitlines()[-1])


def _shown(request):
    address, port = request["to"]
    what = f"{request['size']} bytes" if "size" in request else "a datagram"
    cut = f" in fragments {request['order']}" if "order" in request else ""
    return f"{what} to {address} port {port}{cut}"
