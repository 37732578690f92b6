# SPDX-License-Identifier: Apache-2.0
"""
Other settings of the way to the reals: the kernel's FIB is asked for the next hop of every packet, and outer sources vary with
the flow, so that a real's network card can spread what comes from one director. They are addresses that a router which checks
sources loosely takes.
"""
import contextlib
import ipaddress
from collections import Counter

from .. import packets, settings, traffic
from ..outcome import Outcome
from ..place import LabError

NAME = "spreading"
TITLE = "next hop by the FIB; outer sources vary with the flow and pass a loose rp_filter"
SOURCES = {4: "10.60.1.16/28", 6: "fd60:1::100/124"}
FLOWS = 60
ENOUGH = 8  # sources of 16 that so many flows have to show
LOOSE = 2


def run(lab):
    with contextlib.ExitStack() as stack:
        stack.callback(_kernel, lab, 0, 0)
        _kernel(lab, LOOSE, 1)
        stack.enter_context(settings.changed(lab, next_hop="fib", tunnel_source4=SOURCES[4], tunnel_source6=SOURCES[6]))
        watches = [stack.enter_context(traffic.outers(real)) for real in lab.reals]
        asked = 0
        for name in ("datagrams", "web6"):
            service = lab.topology.service(name)
            if service.protocol == "udp":
                requests = [{"to": [vip, service.port], "size": 200} for vip in service.vips for _ in range(FLOWS // 2)]
                asked += len(packets.replies(lab.client, requests))
            else:
                answers = traffic.ask(lab.client, service, FLOWS)
                answers.none_lost("with the next hop by the FIB")
                asked += len(answers)
        seen = sum((watch.sources() for watch in watches), Counter())
    parts = [_varied(seen, family, prefix) for family, prefix in SOURCES.items()]
    return Outcome(f"{asked} of {asked} answered; outer sources: {'; '.join(parts)}", asked)


def _kernel(lab, rp_filter, forwarding):
    """How the router checks sources; and whether the directors' kernels forward, without which their FIB says nothing."""
    for director in lab.directors:
        link = lab.topology.link(director.name)
        lab.router.run(["sysctl", "-qw", f"net.ipv4.conf.{link.router.name}.rp_filter={rp_filter}"])
        for family in (4, 6):
            director.host.run(["sysctl", "-qw", f"net.ipv{family}.conf.{link.host.name}.forwarding={forwarding}"])


def _varied(seen, family, prefix):
    network = ipaddress.ip_network(prefix)
    found = [source for source in seen if ipaddress.ip_address(source) in network]
    if len(found) < ENOUGH:
        raise LabError(f"{len(found)} outer sources of {prefix} were seen, of {dict(seen)}")
    return f"{len(found)} of {prefix}"
