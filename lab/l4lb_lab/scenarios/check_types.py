# SPDX-License-Identifier: Apache-2.0
"""Checks of many types, all through the tunnels; one of them fails for a reason of its own."""
import contextlib

from .. import edits
from ..command import wait_until
from ..lab import DATAGRAM_SERVER
from ..outcome import Outcome
from ..place import LabError

NAME = "check-types"
TITLE = "tcp, http, udp and icmp checks go through the tunnels"

WEB, DATAGRAMS = 0, 1  # in the order of the services
HELLO = "GET /who HTTP/1.0\r\n\r\n"
CHECKS = (  # service, what is checked, what an up real's reason then begins with
    (WEB, {"type": "tcp", "send": HELLO, "expect": "200 OK"}, "answer matched"),
    (WEB, {"type": "http", "path": "/who", "body": "real", "packet-size": 1500}, "HTTP 200"),
    (DATAGRAMS, {"type": "udp", "port": 7000, "send": "hello", "expect": '"real"'}, "answer matched"),
    (WEB, {"type": "icmp"}, "echo reply"),
)


def run(lab):
    parts = []
    for number, check, reason in CHECKS:
        if check["type"] == "icmp" and lab.dataplane != "xdp":
            continue  # IPVS has no way to send an echo request to one real
        with _checked(lab, number, check):
            wait_until(lambda: _all_up(lab, number, reason), f"all reals to be up by {check}", 30)
            parts.append(check["type"])
            if check["type"] == "udp":
                said = _without_server(lab, number)
        lab.wait_ready()
    return Outcome(f"{', '.join(parts)}; without its server a real is down: {said}")


@contextlib.contextmanager
def _checked(lab, number, check):
    keys = {key.replace("-", "_"): value for key, value in check.items()}
    with edits.edited(lab, lambda text: edits.with_check(text, number, **keys)):
        yield


def _without_server(lab, number):
    real = lab.reals[0]
    address = lab.topology.address(real.name, 4)
    service = lab.topology.services[number].name
    try:
        real.end(DATAGRAM_SERVER)
        return wait_until(lambda: _down(lab, service, address), f"{real.name} to be down on all directors", 30)
    finally:
        lab.start_server(real)


def _down(lab, service, address):
    reals = [director.real(service, address) for director in lab.directors]
    if not all(real["health"] == "down" for real in reals):
        return None
    if not all("unreachable" in real["reason"] for real in reals):
        raise LabError(f"{address} is down for another reason than its missing server: {reals[0]['reason']}")
    return reals[0]["reason"]


def _all_up(lab, number, reason):
    service = lab.topology.services[number].name
    reals = [real for director in lab.directors for real in director.service(service)["reals"]]
    return all(real["health"] == "up" and real["reason"].startswith(reason) for real in reals)
