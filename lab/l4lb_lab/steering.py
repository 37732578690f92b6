# SPDX-License-Identifier: Apache-2.0
"""What the router does with packets where chance is not wanted: rules that go before what BGP says."""
import contextlib
import ipaddress

PREFERENCE = 50
_ICMP = {4: "icmp", 6: "ipv6-icmp"}


@contextlib.contextmanager
def clients_by(lab, director):
    """All that the clients send to the VIPs goes by this director."""
    with _rules(lab, director, lambda _: ["iif", lab.topology.link(lab.client.name).router.name]):
        yield


@contextlib.contextmanager
def errors_by(lab, director):
    """The router's own ICMP errors to the VIPs go by this director."""
    with _rules(lab, director, lambda family: ["iif", "lo", "ipproto", _ICMP[family]]):
        yield


@contextlib.contextmanager
def silent_router(lab):
    """The router does not tell the directors what becomes of their tunnel packets."""
    rules = []
    try:
        for director in lab.directors:
            for family, icmp in _ICMP.items():
                to = lab.topology.address(director.name, family)
                rules.append([f"-{family}", "rule", "_", "to", to, "iif", "lo", "ipproto", icmp, "pref", str(PREFERENCE), "blackhole"])
                lab.router.ip(*_with(rules[-1], "add"))
        yield
    finally:
        _delete(lab, rules)


@contextlib.contextmanager
def route_by(lab, director, address):
    """One more address, or prefix, that the router takes to be behind this director."""
    family = ipaddress.ip_network(address).version
    gateway = lab.topology.address(director.name, family)
    lab.router.ip("route", "replace", address, "via", gateway)
    try:
        yield
    finally:
        lab.router.ip("route", "delete", address, "via", gateway)


@contextlib.contextmanager
def _rules(lab, director, selector):
    table = str(100 + [d.name for d in lab.directors].index(director.name))
    rules = []
    try:
        for family in (4, 6):
            gateway = lab.topology.address(director.name, family)
            lab.router.ip(f"-{family}", "route", "replace", "default", "via", gateway, "table", table)
        for vip in lab.topology.vips():
            family = ipaddress.ip_address(vip).version
            rules.append([f"-{family}", "rule", "_", "to", vip, *selector(family), "lookup", table, "pref", str(PREFERENCE)])
            lab.router.ip(*_with(rules[-1], "add"))
        yield
    finally:
        _delete(lab, rules)


def _delete(lab, rules):
    for rule in rules:
        lab.router.ip(*_with(rule, "delete"), check=False)


def _with(rule, action):
    return [action if word == "_" else word for word in rule]
