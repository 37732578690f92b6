# SPDX-License-Identifier: Apache-2.0
"""A real dies under UDP flows: with their next packets its flows go to other reals, and those of other reals stay."""
import random
import signal

from .. import packets
from ..lab import HTTP_SERVER
from ..outcome import Outcome
from ..place import LabError
from .server_death import wait_removed

NAME = "datagrams-failover"
TITLE = "a real dies: its UDP flows move, the others stay"
FLOWS = 200  # of each VIP; so many that one which comes to another director shows


def run(lab):
    service, real = lab.topology.service("datagrams"), lab.reals[-1]
    first = random.randrange(41000, 60000, FLOWS)  # flows that no director remembers
    ports = range(first, first + FLOWS)
    before = _served(lab, service, ports)
    try:
        real.end(HTTP_SERVER, signal.SIGKILL)  # which its probes ask; datagrams it could still answer
        wait_removed(lab, lab.topology.address(real.name, 4), service.name)
        after = _served(lab, service, ports)
    finally:
        lab.start_server(real)
    lab.wait_ready()
    moved = [flow for flow in before if after[flow] != before[flow]]
    wrongly = [flow for flow in moved if before[flow] != real.name]
    stayed = [flow for flow, server in after.items() if server == real.name]
    if wrongly or stayed or not moved:
        raise LabError(f"{real.name} died: {len(stayed)} flows stayed there, {len(wrongly)} of others moved, {len(moved)} moved in all")
    asked = len(before) + len(after)
    line = f"{real.name} died: its {len(moved)} flows moved, {len(before) - len(moved)} of others stayed; {asked} of {asked} answered"
    return Outcome(line, asked, facts={"asked": asked, "moved-of-others": len(wrongly), "left-on-dead": len(stayed)})


def _served(lab, service, ports):
    """(VIP, client's port) → the real that answers."""
    flows = [(vip, port) for vip in service.vips for port in ports]
    requests = [{"to": [vip, service.port], "from": ["", port], "size": 100} for vip, port in flows]
    return {flow: reply["real"] for flow, reply in zip(flows, packets.replies(lab.client, requests))}
