# SPDX-License-Identifier: Apache-2.0
"""The topology as data: what lab/topology.json, or another one beside it, says, checked and typed."""
import ipaddress
import json
from dataclasses import dataclass, field
from pathlib import Path

USUAL = "topology"


class TopologyError(Exception):
    """The topology contradicts itself."""


@dataclass(frozen=True)
class Interface:
    """One end of a link."""

    host: str
    name: str
    mtu: int
    address4: ipaddress.IPv4Interface
    address6: ipaddress.IPv6Interface

    def address(self, family):
        """Without its length; `family` is 4 or 6."""
        return str((self.address4 if family == 4 else self.address6).ip)


@dataclass(frozen=True)
class Link:
    """A cable between the router and a host."""

    router: Interface
    host: Interface


@dataclass(frozen=True)
class HostData:
    """A host; `asn` and `router_id` only where BGP is spoken."""

    name: str
    role: str
    asn: int = 0
    router_id: str = ""


@dataclass(frozen=True)
class Service:
    """
    What the directors offer; `reals` are names of hosts, to whose addresses of `real_family` the tunnels lead. `health_check`
    and `settings` have the configuration file's keys. `open` are the ports on which the reals listen for it.
    """

    name: str
    vips: tuple
    protocol: str
    port: int | str  # or "any"
    reals: tuple
    weight: int
    health_check: dict
    settings: dict = field(default_factory=dict)
    real_family: int = 4
    server_ids: dict = field(default_factory=dict)
    open: tuple = ()

    def vip(self, family):
        return next(v for v in self.vips if ipaddress.ip_address(v).version == family)


@dataclass(frozen=True)
class Topology:
    hosts: tuple
    links: tuple
    services: tuple
    vip_prefixes: tuple
    name: str = USUAL

    def host(self, name):
        for host in self.hosts:
            if host.name == name:
                return host
        raise TopologyError(f"no host {name}; there are {', '.join(h.name for h in self.hosts)}")

    def role(self, role):
        return [host for host in self.hosts if host.role == role]

    @property
    def router(self):
        return self.role("router")[0]

    def link(self, host):
        """The link of a host that is not the router."""
        return next(link for link in self.links if link.host.host == host)

    def interfaces(self, host):
        ends = [end for link in self.links for end in (link.router, link.host)]
        return [end for end in ends if end.host == host]

    def address(self, host, family):
        """The address of a host that is not the router."""
        return self.link(host).host.address(family)

    def networks(self, role):
        """Of the links to the hosts of that role."""
        ends = [self.link(host.name).host for host in self.role(role)]
        return [address.network for end in ends for address in (end.address4, end.address6)]

    def vips(self):
        """Each once, in the order in which services name them."""
        return list(dict.fromkeys(vip for service in self.services for vip in service.vips))

    def service(self, name):
        return next(service for service in self.services if service.name == name)

    def real_addresses(self, service):
        """Where the tunnels of a service lead, in the order of its reals."""
        return [self.address(real, service.real_family) for real in service.reals]

    def ports(self):
        """On which some service needs its reals to listen."""
        return sorted({port for service in self.services for port in service.open})


def load(name=USUAL):
    return parse(json.loads((Path(__file__).parent.parent / f"{name}.json").read_text()), name)


def parse(data, name=USUAL):
    hosts = tuple(HostData(h["name"], h["role"], h.get("as", 0), h.get("router-id", "")) for h in data["hosts"])
    routers = [host.name for host in hosts if host.role == "router"]
    if len(routers) != 1:
        raise TopologyError(f"one router is needed, not {len(routers)}")
    links = tuple(_link(link, routers[0]) for link in data["links"])
    topology = Topology(hosts, links, tuple(_service(s) for s in data["services"]), tuple(data["vip-prefixes"]), name)
    _check(topology)
    return topology


def _link(data, router):
    host = data["host"]
    return Link(
        _interface(router, data["router"], data["mtu"]),
        _interface(host["name"], host, data["mtu"]),
    )


def _interface(host, data, mtu):
    address4, address6 = data["addresses"]
    return Interface(
        host, data["interface"], mtu, ipaddress.IPv4Interface(address4), ipaddress.IPv6Interface(address6)
    )


def _service(data):
    return Service(
        data["name"], tuple(data["vips"]), data["protocol"], data["port"],
        tuple(data["reals"]), data["weight"], dict(data["health-check"]), dict(data.get("settings", {})),
        data.get("real-family", 4), dict(data.get("server-ids", {})), tuple(data.get("open", [data["port"]])),
    )


def _check(topology):
    names = [host.name for host in topology.hosts]
    if len(set(names)) != len(names):
        raise TopologyError("two hosts have one name")
    linked = sorted(link.host.host for link in topology.links)
    if linked != sorted(name for name in names if name != topology.router.name):
        raise TopologyError(f"every host but the router needs exactly one link; links lead to {', '.join(linked)}")
    addresses = [a for link in topology.links for end in (link.router, link.host) for a in (end.address4, end.address6)]
    if len(set(addresses)) != len(addresses):
        raise TopologyError("two interfaces have one address")
    for link in topology.links:
        for a, b in ((link.router.address4, link.host.address4), (link.router.address6, link.host.address6)):
            if a.network != b.network:
                raise TopologyError(f"{a} and {b} are ends of one link in two networks")
    for service in topology.services:
        for real in service.reals:
            if topology.host(real).role != "real":
                raise TopologyError(f"service {service.name}: {real} is not a real")
