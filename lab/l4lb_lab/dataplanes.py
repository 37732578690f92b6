# SPDX-License-Identifier: Apache-2.0
"""What differs between the kernel dataplanes for whoever looks at a director from outside."""
import ipaddress
import json
from collections import defaultdict

from . import ipvsadm


class Xdp:
    """Our own program on the director's interface. What its tables are, the agent has to say."""

    name = "xdp"
    tunnels = "bpf"  # how reals open them: the kernel's devices need modules, which would stay in this machine

    def shares(self, director, service):
        """Real's address → its part of the new flows."""
        view = director.service(service)
        return {real["address"]: real["slots"] / view["table-size"] for real in view["reals"]}

    def table(self, director, service):
        """Something that is the same for the same table."""
        return director.service(service)["table-digest"]

    def installed(self, director):
        """What forwards, for a person to read; empty: nothing does."""
        interface = director.host.topology.link(director.name).host.name
        device = json.loads(director.host.ip("-j", "-d", "link", "show", interface).stdout)[0]
        program = device.get("xdp", {}).get("prog", {}).get("id")
        return f"XDP program {program}" if program else ""

    def kept(self, _before, after):
        """Whether a new agent took over what it found: it may put a newer program in the place of the old one."""
        return bool(after)


class Ipvs:
    """The kernel's own balancer. ipvsadm tells what it has, whatever the agent says."""

    name = "ipvs"
    tunnels = "kernel"  # before Linux 6.6 our program cannot change the family of what it opens

    def shares(self, director, service):
        shares = defaultdict(float)
        for vip_service in self._of(director, service):
            total = sum(real.weight for real in vip_service.reals)
            for real in vip_service.reals:
                shares[real.address] = max(shares[real.address], real.weight / total if total else 0.0)
        return {address: shares[address] for address in director.host.topology.real_addresses(_data(director, service))}

    def table(self, director, service):
        rules = "\n".join(map(str, self._of(director, service)))
        return f"{director.service(service)['table-digest']}\n{rules}"

    def installed(self, director):
        found = ipvsadm.services(director.host)
        reals = sum(len(service.reals) for service in found)
        return f"IPVS with {len(found)} services, {reals} reals, weights {_weights(found)}" if found else ""

    def kept(self, before, after):
        return before == after

    def _of(self, director, service):
        data = _data(director, service)
        keys = [(data.protocol, str(ipaddress.ip_address(vip)), data.port) for vip in data.vips]
        return [found for found in ipvsadm.services(director.host) if found.key in keys]


def _data(director, service):
    return director.host.topology.service(service)


def _weights(services):
    return "/".join(str(real.weight) for service in services if not service.mark for real in service.reals)


OF = {each.name: each for each in (Xdp(), Ipvs())}
USUAL = "xdp"
