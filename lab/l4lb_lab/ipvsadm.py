# SPDX-License-Identifier: Apache-2.0
"""What ipvsadm says of a host's IPVS."""
import ipaddress
from dataclasses import dataclass


@dataclass(frozen=True)
class Destination:
    address: str
    port: int
    forwarding: str  # as ipvsadm's listing names it: Tunnel, Route, Masq, Local
    weight: int


@dataclass(frozen=True)
class VirtualService:
    """`mark`: of a service for packets with a firewall mark; it has neither protocol nor address."""

    protocol: str
    address: str
    port: int
    scheduler: str
    reals: tuple
    mark: int = 0

    @property
    def key(self):
        return (self.protocol, self.address, self.port)


def services(host):
    """All that there are, in the kernel's order; reals in order of their addresses."""
    return parse(host.run(["ipvsadm", "-Ln"]).stdout)


def parse(text):
    """Pure: of `ipvsadm -Ln`."""
    found, reals = [], []
    for line in text.splitlines()[3:]:  # version, and two lines of headings
        words = line.split()
        if words[0] != "->":
            reals = []
            found.append((words, reals))
        elif words[1] != "RemoteAddress:Port":
            reals.append(Destination(*_end(words[1]), words[2], int(words[3])))
    return [_service(words, tuple(sorted(reals, key=lambda real: (real.address, real.port)))) for words, reals in found]


def _service(words, reals):
    protocol, end, *rest = words
    if protocol == "FWM":
        scheduler = rest[1] if rest[0] == "IPv6" else rest[0]
        return VirtualService("fwm6" if rest[0] == "IPv6" else "fwm", "", 0, scheduler, reals, int(end))
    return VirtualService(protocol.lower(), *_end(end), rest[0], reals)


def _end(text):
    """"192.0.2.10:80" or "[2001:db8::10]:80"."""
    address, _, port = text.rpartition(":")
    return str(ipaddress.ip_address(address.strip("[]"))), int(port)
