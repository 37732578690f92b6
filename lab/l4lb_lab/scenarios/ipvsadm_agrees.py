# SPDX-License-Identifier: Apache-2.0
"""`ipvsadm -Ln` and `l4lb service list` say the same: services, reals, and which of them get new flows."""
import json

from .. import edits, ipvsadm
from ..command import wait_until
from ..outcome import Outcome
from ..place import LabError

NAME = "ipvsadm-agrees"
TITLE = "ipvsadm -Ln agrees with l4lb service list"
ON = ("ipvs",)


def run(lab):
    counts = [_compare(lab, director) for director in lab.directors]
    drained = lab.topology.real_addresses(lab.service)[0]
    with edits.edited(lab, lambda text: edits.with_weight(text, 0, 0)):
        for director in lab.directors:
            wait_until(lambda d=director: not d.shares(lab.service.name)[drained], f"{drained} to be drained", 15, 0.2)
            _compare(lab, director)
    lab.wait_ready()
    services, ways = counts[0]
    line = f"{services} services and {ways} ways to reals, on each director; the same with {drained} drained"
    return Outcome(line, figures={"services": services, "ways": ways})


def _compare(lab, director):
    """Returns how many services there are, and how many marks stand for ways to reals."""
    said = json.loads(director.shown("service", "list", "-o", "json"))
    found = ipvsadm.services(director.host)
    by_address = {service.key: service for service in found if not service.mark}
    expected = {(view["protocol"], vip, view["port"]): view for view in said for vip in view["vips"]}
    if set(by_address) != set(expected):
        raise LabError(f"{director.name}: ipvsadm has {sorted(by_address)}, l4lb service list {sorted(expected)}")
    for key, view in expected.items():
        _same_reals(director, key, by_address[key], view)
    return len(expected), _marks(director, found, {real["address"] for view in said for real in view["reals"]})


def _same_reals(director, key, service, view):
    if service.scheduler != "mh":
        raise LabError(f"{director.name}: {key} has scheduler {service.scheduler}")
    gets_new = {real.address for real in service.reals if real.weight}
    expected = {real["address"] for real in view["reals"] if real["weight"] and real["health"] == "up"}
    known = {real["address"] for real in view["reals"]}
    if gets_new != expected or not {real.address for real in service.reals} <= known:
        raise LabError(f"{director.name}: {key}: ipvsadm has {service.reals}, l4lb says that {sorted(expected)} get new flows")
    if any(real.forwarding != "Tunnel" or real.port != view["port"] for real in service.reals):
        raise LabError(f"{director.name}: {key}: {service.reals}")


def _marks(director, found, addresses):
    """Each mark stands for one real, the same in both families; every real has one."""
    ways = {}
    for service in found:
        if service.mark:
            ways.setdefault(service.mark, set()).update(real.address for real in service.reals)
    if any(len(reals) != 1 for reals in ways.values()) or set().union(*ways.values()) != addresses:
        raise LabError(f"{director.name}: marks stand for {ways}, reals are {sorted(addresses)}")
    return len(ways)
