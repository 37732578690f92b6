# SPDX-License-Identifier: Apache-2.0
"""
Other settings of the way to the reals: the kernel's FIB is asked for the next hop of every packet, and outer sources vary with
the flow, so that a real's network card can spread what comes from one director. Each director has a part of the network that
it shares with the router, which routes it there: so sources are what a router expects that checks them, and what the router
says about tunnel packets comes to a director that can pass it on.
"""
import contextlib
import ipaddress
from collections import Counter

from .. import narrowing, packets, settings, steering, traffic
from ..outcome import Outcome
from ..place import LabError

NAME = "spreading"
TITLE = "next hop by the FIB; outer sources vary with the flow, pass a strict rp_filter, and hear of the path MTU"
ON = ("xdp",)
FIRST, BITS = 16, 4  # of the sources in a director's network: where they begin, how many bits vary
FLOWS = 120
ENOUGH = 8  # sources of 16 that a director's share of so many flows has to show
STRICT = 1


def run(lab):
    prefixes = {(director.name, family): _prefix(lab, director, family) for director in lab.directors for family in (4, 6)}
    with contextlib.ExitStack() as stack:
        stack.callback(_kernel, lab, 0, 0)
        _kernel(lab, STRICT, 1)
        for director in lab.directors:
            for family in (4, 6):
                stack.enter_context(steering.route_by(lab, director, prefixes[director.name, family]))
        sources = {
            director.name: {f"tunnel_source{family}": prefixes[director.name, family] for family in (4, 6)}
            for director in lab.directors
        }
        stack.enter_context(settings.changed(lab, sources, next_hop="fib"))
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
        parts = [_varied(seen, prefix) for prefix in prefixes.values()]
        learned = [narrowing.go_on(lab, name) for name in ("web", "gue6")]
    line = (
        f"{asked} of {asked} answered; outer sources: {', '.join(parts)}; links to the reals narrowed under uploads: path MTU "
        f"{'/'.join(map(str, learned))}"
    )
    return Outcome(line, asked)


def _prefix(lab, director, family):
    end = lab.topology.link(director.name).host
    network = (end.address4 if family == 4 else end.address6).network
    return f"{network.network_address + FIRST}/{network.max_prefixlen - BITS}"


def _kernel(lab, rp_filter, forwarding):
    """How the router checks sources; and whether the directors' kernels forward, without which their FIB says nothing."""
    for director in lab.directors:
        link = lab.topology.link(director.name)
        lab.router.run(["sysctl", "-qw", f"net.ipv4.conf.{link.router.name}.rp_filter={rp_filter}"])
        for family in (4, 6):
            director.host.run(["sysctl", "-qw", f"net.ipv{family}.conf.{link.host.name}.forwarding={forwarding}"])


def _varied(seen, prefix):
    network = ipaddress.ip_network(prefix)
    found = [source for source in seen if ipaddress.ip_address(source) in network]
    if len(found) < ENOUGH:
        raise LabError(f"{len(found)} outer sources of {prefix} were seen, of {dict(seen)}")
    return f"{len(found)} of {prefix}"
