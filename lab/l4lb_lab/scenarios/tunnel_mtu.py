# SPDX-License-Identifier: Apache-2.0
"""
The way from the directors to the reals shrinks, and no router says so: then the directors' `mtu` has to follow, and they tell
the clients.
"""
import contextlib

from .. import narrowing, packets, settings, steering
from ..outcome import Outcome
from ..place import LabError

NAME = "tunnel-mtu"
TITLE = "the way to the reals shrinks and the router is silent: the directors' mtu follows, uploads go on"
ON = ("xdp",)
SERVICES = ("web", "web6")


def run(lab):
    try:
        with contextlib.ExitStack() as stack:
            stack.enter_context(steering.silent_router(lab))
            stalled = narrowing.stall(lab, lab.service.name)
            stack.enter_context(narrowing.narrow(lab))
            with settings.changed(lab, mtu=narrowing.NARROW):
                found = [_upload(lab, name, vip) for name in SERVICES for vip in lab.service.vips]
    finally:
        packets.forget_paths(lab.client, *(director.host for director in lab.directors))
    line = (
        f"links to the reals at {narrowing.NARROW}: {stalled} of {stalled} uploads stall, until the directors have mtu = "
        f"{narrowing.NARROW}; then {len(found)} uploads whole, path MTU {found}"
    )
    return Outcome(line, len(found), 0)


def _upload(lab, name, vip):
    packets.forget_paths(lab.client)
    said = packets.upload(lab.client, vip, lab.topology.service(name).port)
    left = narrowing.NARROW - narrowing.OVERHEAD[name]
    if said["path-mtu"] != left:
        raise LabError(f"{name}: the client has a path MTU of {said['path-mtu']} to {vip}, not {left}")
    return said["path-mtu"]
