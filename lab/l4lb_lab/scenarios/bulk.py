# SPDX-License-Identifier: Apache-2.0
"""
Every link has an MTU of 1500, so a full-size packet of the client's does not fit once it is in the tunnel: uploads live by the
directors' Packet Too Big. Downloads take no tunnel.
"""
from .. import packets
from ..outcome import Outcome
from ..place import LabError

NAME = "bulk"
TITLE = "TCP both ways through every kind of tunnel, MTU 1500 everywhere"
ON = ("xdp",)
ROOM = {"web": 1480, "gue": 1472, "web6": 1460, "gue6": 1452}  # that the outer headers leave


def run(lab):
    verdicts = packets.Verdicts(lab)
    reals, transfers = set(), 0
    for name, room in ROOM.items():
        service = lab.topology.service(name)
        for vip in service.vips:
            packets.forget_paths(lab.client)
            said = packets.upload(lab.client, vip, service.port)
            if said["path-mtu"] != room:
                raise LabError(f"{name}: the client has a path MTU of {said['path-mtu']} to {vip}, not {room}")
            got = packets.download(lab.client, vip, service.port)
            reals |= {said["real"], got["real"]}
            transfers += 2
    answers = verdicts.wait("answer-too-big", len(ROOM) * 2)
    packets.forget_paths(lab.client)
    line = (
        f"{transfers} transfers of {packets.SIZE:,} bytes whole, by IP in IP and GUE over IPv4 and IPv6; path MTU "
        f"{'/'.join(map(str, ROOM.values()))} by {answers} answers; by {', '.join(sorted(reals))}"
    )
    return Outcome(line, transfers, 0, {"too-big-answers": answers})
