# SPDX-License-Identifier: Apache-2.0
"""
The directors do not answer packets that are too big, and lower the MSS of SYNs. What a client announces limits what the real
sends; what the client sends is limited by what the real announces, which does not pass the directors: that is the `advmss` of
the real's route.
"""
import contextlib

from .. import packets, settings
from ..command import wait_until
from ..outcome import Outcome
from ..place import LabError

NAME = "mss"
TITLE = "without answers to what is too big: MSS clamped at the directors and at the reals"
ON = ("xdp",)
CLAMP = 1380  # with 60 bytes of IPv6 and TCP in front there is room for GUE over IPv6, 48 bytes
TIMESTAMPS = 12  # bytes that this TCP option takes from every segment
STALL = 200_000  # bytes that do not fit into the first window


def run(lab):
    packets.forget_paths(lab.client)
    with settings.changed(lab, too_big_answers=False, mss_clamp=CLAMP):
        verdicts = packets.Verdicts(lab)
        stalled = packets.try_upload(lab.client, lab.service.vip(4), lab.service.port, STALL, 2)
        if not stalled["error"]:
            raise LabError("an upload of full-size packets came through, though they cannot fit the tunnel")
        dropped = verdicts.wait("drop-too-big", 1)
        with _announced_by_reals(lab, CLAMP):
            transfers = [_transfer(lab, name, vip) for name in ("web", "gue6") for vip in lab.service.vips]
        answers = sum(verdicts.since("answer-too-big").values())
    if answers:
        raise LabError(f"{answers} packets were answered as too big, though that is off")
    segments = sorted({segment for segment, _ in transfers})
    line = (
        f"{len(transfers)} uploads whole; segments of downloads {segments} at a clamp of {CLAMP}; "
        f"with full-size segments the upload stalls ({dropped} packets dropped)"
    )
    return Outcome(line, 2 * len(transfers), 0, {"clamp": CLAMP, "dropped": dropped})


def _transfer(lab, name, vip):
    """(segments of the download, path MTU of the upload)"""
    service = lab.topology.service(name)
    said = packets.upload(lab.client, vip, service.port)
    if said["path-mtu"] != 1500:
        raise LabError(f"{name}: something told the client a path MTU of {said['path-mtu']}")
    got = packets.download(lab.client, vip, service.port)
    if got["segment"] > CLAMP - TIMESTAMPS:
        raise LabError(f"{name}: {got['real']} sends segments of {got['segment']} bytes from {vip}, the clamp is {CLAMP}")
    return got["segment"], said["path-mtu"]


@contextlib.contextmanager
def _announced_by_reals(lab, mss):
    try:
        for real in lab.reals:
            _route(lab, real, "advmss", str(mss))
        yield
    finally:
        for real in lab.reals:
            _route(lab, real)
            wait_until(lambda r=real: _usable(r), f"the IPv6 route of {real.name}", 5)


def _route(lab, real, *metrics):
    gateway = lab.topology.link(real.name).router
    for family in (4, 6):
        real.ip(f"-{family}", "route", "replace", "default", "via", gateway.address(family), *metrics)


def _usable(real):
    return "default" in real.ip("-6", "route", "show", "default").stdout
