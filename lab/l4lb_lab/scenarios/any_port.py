# SPDX-License-Identifier: Apache-2.0
"""Services with any port, and with any protocol."""
from .. import packets, traffic
from ..outcome import Outcome
from ..place import LabError

NAME = "any-port"
TITLE = "services with any port and any protocol"
ON = ("xdp",)
REQUESTS = 12
DATAGRAMS = 10


def run(lab):
    ports, everything = lab.topology.service("ports"), lab.topology.service("everything")
    asked = 0
    for service, open_for_tcp in ((ports, ports.open), (everything, everything.open[:1])):
        for port in open_for_tcp:
            requests = traffic.ask(lab.client, service, REQUESTS, port=port)
            requests.none_lost(f"{service.name}, port {port}")
            asked += len(requests)
    asked += sum(_datagrams(lab, everything, vip) for vip in everything.vips)
    line = (
        f"{asked} of {asked} answered: TCP to ports {' and '.join(map(str, ports.open))} of a service with any port; TCP, UDP and "
        "IP protocol 253 of one with any protocol"
    )
    return Outcome(line, asked)


def _datagrams(lab, service, vip):
    udp = [{"to": [vip, service.open[1]], "size": 500} for _ in range(DATAGRAMS)]
    raw = [{"to": [vip, 0], "protocol": "raw", "size": 500} for _ in range(2)]
    packets.replies(lab.client, udp)
    reals = {reply["real"] for reply in packets.replies(lab.client, raw)}
    if len(reals) != 1:
        raise LabError(f"{vip}: a protocol without ports has one real a client, not {', '.join(sorted(reals))}")
    return len(udp) + len(raw)
