# SPDX-License-Identifier: Apache-2.0
"""
Datagrams larger than a packet arrive whole at one real. Without its first fragment the directors know no ports: a later one
that comes before it is dropped, unless the service takes any port and hashes none.
"""
import ipaddress

from .. import packets
from ..outcome import Outcome
from ..place import LabError

NAME = "fragments"
TITLE = "fragmented datagrams arrive whole at one real"
ON = ("xdp",)
SIZES = (4096, 9000)
FLOWS = 5
CUT = {"size": 4096, "fragment": 1024}  # 5 fragments, the first one with the UDP header
IN_ORDER, LATER_ONES_MIXED, FIRST_ONE_LAST = [0, 1, 2, 3, 4], [0, 3, 1, 4, 2], [4, 3, 2, 1, 0]


def run(lab):
    whole = cut = 0
    tries = _learned(lab, lab.service.vip(6))
    try:
        for vip in lab.service.vips:
            _leave_room(lab, vip)
            whole += _sent_by_the_kernel(lab, vip)
            cut += _cut_here(lab, vip)
        lost = _without_the_first(lab)
    finally:
        for vip in lab.service.vips:
            lab.client.ip(_family(vip), "route", "flush", vip, check=False)
    packets.forget_paths(lab.client)
    line = (
        f"{whole} datagrams of {' and '.join(map(str, SIZES))} bytes whole; {cut} cut by hand whole, also with fragments out of "
        f"order, and with the first one last where no port counts; {lost} fragments without their first counted and dropped; an "
        f"IPv6 client learned the path MTU by try {tries}"
    )
    return Outcome(line, whole + cut, 0)


def _learned(lab, vip):
    """Full-size IPv6 fragments do not fit the tunnel either: the sender is told, and the next try fits."""
    packets.forget_paths(lab.client)
    request = {"to": [vip, lab.topology.service("datagrams").port], "size": SIZES[0], "tries": 3}
    result = packets.ask(lab.client, [request])[0]
    if not result["reply"] or result["tries"] == 1:
        raise LabError(f"full-size fragments to {vip}: {result}")
    return result["tries"]


def _family(vip):
    return f"-{ipaddress.ip_address(vip).version}"


def _leave_room(lab, vip):
    """The client knows a path MTU that leaves room for the tunnel: IPv4 fragments have no DF, so that nobody would tell it."""
    gateway = lab.topology.link(lab.client.name).router.address(ipaddress.ip_address(vip).version)
    lab.client.ip(_family(vip), "route", "replace", vip, "via", gateway, "mtu", "1400")


def _sent_by_the_kernel(lab, vip):
    port = lab.topology.service("datagrams").port
    requests = [{"to": [vip, port], "size": size} for size in SIZES for _ in range(FLOWS)]
    reals = {reply["real"] for reply in packets.replies(lab.client, requests)}
    if len(reals) < 2:
        raise LabError(f"{vip}: {len(requests)} flows all went to {', '.join(reals)}")
    return len(requests)


def _cut_here(lab, vip):
    port, everything = lab.topology.service("datagrams").port, lab.topology.service("everything")
    ends = [([vip, port], order) for order in (IN_ORDER, LATER_ONES_MIXED)]
    family = ipaddress.ip_address(vip).version
    ends += [([everything.vip(family), everything.open[1]], order) for order in (IN_ORDER, LATER_ONES_MIXED, FIRST_ONE_LAST)]
    packets.replies(lab.client, [{"to": end, "order": order, **CUT} for end, order in ends])
    return len(ends)


def _without_the_first(lab):
    verdicts = packets.Verdicts(lab)
    port = lab.topology.service("datagrams").port
    requests = [{"to": [vip, port], "order": FIRST_ONE_LAST, "patience": 0.3, **CUT} for vip in lab.service.vips]
    for request, result in zip(requests, packets.ask(lab.client, requests)):
        if result["reply"]:
            raise LabError(f"{request['to'][0]}: a datagram whose first fragment came last arrived, though the key has ports")
    return verdicts.wait("drop-fragment", len(requests) * (len(FIRST_ONE_LAST) - 1))
