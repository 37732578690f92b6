# SPDX-License-Identifier: Apache-2.0
"""The way from the directors to the reals shrinks: with the new `mtu` in their configuration, clients are told of it."""
import contextlib

from .. import packets, settings
from ..outcome import Outcome
from ..place import LabError

NAME = "tunnel-mtu"
TITLE = "the way to the reals shrinks: the directors' mtu follows, uploads go on"
SMALL = 1400
OVERHEAD = {"web": 20, "web6": 40}
STALL = 200_000


def run(lab):
    packets.forget_paths(lab.client)
    try:
        with contextlib.ExitStack() as stack:
            stack.callback(_set_mtu, lab, 1500)
            _set_mtu(lab, SMALL)
            before = packets.try_upload(lab.client, lab.service.vip(4), lab.service.port, STALL, 2)
            if not before["error"]:
                raise LabError(f"an upload came through links of {SMALL}, though the directors take them for larger")
            with settings.changed(lab, mtu=SMALL):
                found = [_upload(lab, name, vip) for name in OVERHEAD for vip in lab.service.vips]
    finally:
        packets.forget_paths(lab.client, *(director.host for director in lab.directors))
    line = f"links to the reals at {SMALL}: uploads stall, until the directors have mtu = {SMALL}; then {len(found)} uploads whole, path MTU {found}"
    return Outcome(line, len(found), 0)


def _set_mtu(lab, mtu):
    for real in lab.reals:
        lab.router.ip("link", "set", lab.topology.link(real.name).router.name, "mtu", mtu)


def _upload(lab, name, vip):
    packets.forget_paths(lab.client)
    said = packets.upload(lab.client, vip, lab.topology.service(name).port)
    if said["path-mtu"] != SMALL - OVERHEAD[name]:
        raise LabError(f"{name}: the client has a path MTU of {said['path-mtu']} to {vip}, not {SMALL - OVERHEAD[name]}")
    return said["path-mtu"]
