# SPDX-License-Identifier: Apache-2.0
"""The directors answer echo requests to the VIPs themselves, and to no other address."""
from .. import packets, steering
from ..outcome import Outcome
from ..place import LabError

NAME = "ping"
TITLE = "VIPs are pinged, other addresses are not"
ON = ("xdp",)
TRIES = 14
NOT_VIPS = ("192.0.2.99", "2001:db8::99")
TTL = 63  # at the client: 64 less the router


def run(lab):
    verdicts = packets.Verdicts(lab)
    sent = 0
    for director in lab.directors:
        with steering.clients_by(lab, director):
            for vip in lab.topology.vips():
                _answered(director, vip, packets.ping(lab.client, vip, TRIES))
                sent += TRIES
    counted = verdicts.wait("answer-echo", sent)
    for address in NOT_VIPS:
        with steering.route_by(lab, lab.directors[0], address):
            ttl, problem = packets.ping(lab.client, address)[0]
            if problem != "no answer":
                raise LabError(f"{address} is no VIP, but was answered (TTL {ttl}, {problem})")
    line = (
        f"{sent} of {sent} requests answered right, with checksums that carry and borrow, by each director; none for "
        f"{' and '.join(NOT_VIPS)}"
    )
    return Outcome(line, sent, 0, {"answer-echo": counted})


def _answered(director, vip, answers):
    for ttl, problem in answers:
        if problem or ttl != TTL:
            raise LabError(f"{vip} by {director.name}: {problem or f'TTL {ttl}, not {TTL}'}")
