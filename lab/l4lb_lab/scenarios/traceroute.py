# SPDX-License-Identifier: Apache-2.0
"""
The client's way to a VIP ends there; and a real that sends from a VIP gets the errors that its own packets meet, on whichever
director they come back.
"""
import ipaddress

from .. import packets, steering
from ..outcome import Outcome
from ..place import LabError

NAME = "traceroute"
TITLE = "traceroute to the VIP ends there; errors come back to the real that sent"
ON = ("xdp",)
FLOWS = 6


def run(lab):
    ways = {}
    for vip in lab.service.vips:
        for how, service in (("udp", "datagrams"), ("tcp", "web"), ("icmp", "web")):
            ways[how] = _way(lab, vip, how, packets.trace(lab.client, vip, lab.topology.service(service).port, how))
    asked = 0
    for director in lab.directors:
        with steering.errors_by(lab, director):
            for vip in lab.service.vips:
                asked += _errors_come_back(lab, director, vip)
    line = (
        f"hops to the VIP: {', '.join(f'{how} {hops}' for how, hops in ways.items())}; {asked} of {asked} errors for packets of "
        "reals came back to their real, by each director"
    )
    return Outcome(line, asked)


def _way(lab, vip, how, hops):
    """How many hops there are. A director's own hop is silent, unless it answers itself."""
    router = lab.topology.link(lab.client.name).router.address(ipaddress.ip_address(vip).version)
    silent = [] if how == "icmp" else [None]
    expected = [[router, False], *silent, [vip, True]]
    if hops != expected:
        raise LabError(f"{how} to {vip}: hops {hops}, not {expected}")
    return len(hops)


def _errors_come_back(lab, director, vip):
    service = lab.topology.service("datagrams")
    requests = [{"to": [vip, service.port], "data": b"trace 1".hex(), "patience": 3} for _ in range(FLOWS)]
    for reply in packets.replies(lab.client, requests):
        family = ipaddress.ip_address(vip).version
        # Linux signs an ICMP error with its address where the error leaves, an ICMPv6 error where the packet came in.
        router = lab.topology.link(director.name if family == 4 else reply["real"]).router.address(family)
        error = reply["error"]
        if not error or error["from"] != router or error["type"] != (11 if family == 4 else 3):
            sent = f"{reply['real']} sent from {vip} with TTL 1"
            raise LabError(f"{sent}, and by {director.name} had back {error}, not time exceeded of {router}")
    return len(requests)
