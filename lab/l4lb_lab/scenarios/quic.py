# SPDX-License-Identifier: Apache-2.0
"""
QUIC-like flows: the first packet has an ID that the client made up and goes by its 5-tuple; the real answers with a connection
ID that carries its server ID, and has what comes with it from then on, whatever the client's address and port.
"""
import secrets

from .. import packets
from ..outcome import Outcome
from ..place import LabError

NAME = "quic"
TITLE = "QUIC-like flows keep their real when the client's address and port change"
ON = ("xdp",)
CONNECTIONS = 8
MOVES = 6
OTHER_ADDRESSES = {4: "10.60.0.77/24", 6: "fd60:0::77/64"}
LONG_INITIAL, SHORT = 0xC0, 0x40
VERSION_1 = 1
LENGTH = 12


def run(lab):
    service, interface = lab.topology.service("quic"), lab.topology.link(lab.client.name).host.name
    verdicts = packets.Verdicts(lab)
    moves, reals = 0, set()
    try:
        for address in OTHER_ADDRESSES.values():
            lab.client.ip("address", "replace", address, "dev", interface, *(["nodad"] if ":" in address else []))
        for family in (4, 6):
            vip = service.vip(family)
            opened = packets.replies(lab.client, [_initial(vip, service) for _ in range(CONNECTIONS)])
            requests = [_moved(lab, vip, service, reply["cid"], move) for reply in opened for move in range(MOVES)]
            expected = [reply["real"] for reply in opened for _ in range(MOVES)]
            _same(requests, packets.replies(lab.client, requests), expected)
            moves += len(requests)
            reals |= set(expected)
    finally:
        for address in OTHER_ADDRESSES.values():
            lab.client.ip("address", "delete", address, "dev", interface, check=False)
    if len(reals) < 2:
        raise LabError(f"{2 * CONNECTIONS} connections all went to {', '.join(reals)}")
    named = verdicts.wait("forward-server-id", moves)
    line = (
        f"{2 * CONNECTIONS} connections on {', '.join(sorted(reals))}, each with packets from {MOVES} other ports, half of them "
        f"from another address: {moves} of {moves} at the connection's real, {named} by their server ID"
    )
    return Outcome(line, moves + 2 * CONNECTIONS, 0)


def _initial(vip, service):
    """A long header: version 1, an ID of the client's own choice, which names no real."""
    chosen = b"\x00\xff\xff\xff" + secrets.token_bytes(LENGTH - 4)
    data = bytes([LONG_INITIAL]) + VERSION_1.to_bytes(4, "big") + bytes([LENGTH]) + chosen
    return {"to": [vip, service.port], "data": (data + bytes(1200 - len(data))).hex()}


def _moved(lab, vip, service, cid, move):
    """A short header, from another port each time and from another address every second time."""
    family = 6 if ":" in vip else 4
    usual = lab.topology.address(lab.client.name, family)
    source = OTHER_ADDRESSES[family].split("/")[0] if move % 2 else usual
    data = bytes([SHORT]) + bytes.fromhex(cid) + secrets.token_bytes(50)
    return {"to": [vip, service.port], "from": [source, 0], "data": data.hex()}


def _same(requests, replies, expected):
    for request, reply, real in zip(requests, replies, expected):
        if reply["real"] != real:
            raise LabError(f"a connection of {real} went to {reply['real']} with packets from {request['from'][0]}")
