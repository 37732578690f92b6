# SPDX-License-Identifier: Apache-2.0
"""The router's routing daemon: BIRD 2, one BGP session a director and family, equal paths merged."""
import ipaddress

from .command import wait_until
from .slowness import pace

_SESSION = """protocol bgp {name} {{
  local {local} as {local_as};
  neighbor {neighbor} as {peer_as};
  direct;
  hold time {hold}; keepalive time {keepalive};
  connect retry time 2; connect delay time 1; error wait time 1, 3;
  ipv{family} {{ import where net ~ [ {prefixes} ]; export none; }};
}}
"""
_KERNEL = """protocol kernel {{
  ipv{family} {{ import none; export where source = RTS_BGP; }};
  merge paths yes limit 16;
  learn off;
}}
"""


def session(director, family):
    """The name of its BGP session."""
    return f"{director}_{family}"


def configuration(topology, log):
    """Pure: the text of bird.conf."""
    router = topology.router
    text = f'log "{log}" all;\nrouter id {router.router_id};\ndebug protocols {{ states, events }};\n'
    text += "protocol device { scan time 2; }\nprotocol direct { ipv4; ipv6; }\n"
    text += "".join(_KERNEL.format(family=family) for family in (4, 6))
    for director in topology.role("director"):
        link = topology.link(director.name)
        for family in (4, 6):
            text += _SESSION.format(
                name=session(director.name, family), family=family, local=link.router.address(family),
                neighbor=link.host.address(family), local_as=router.asn, peer_as=director.asn,
                prefixes=_host_routes(topology.vip_prefixes, family),
                hold=round(pace(9)), keepalive=round(pace(3)),
            )
    return text


def _host_routes(prefixes, family):
    bits = 32 if family == 4 else 128
    return ", ".join(f"{p}{{{bits},{bits}}}" for p in prefixes if ipaddress.ip_network(p).version == family)


class Bird:
    """The daemon on the router."""

    def __init__(self, router):
        self._router = router
        self._socket = router.directory / "bird.ctl"

    def argv(self):
        config = self._router.directory / "bird.conf"
        return ["bird", "-f", "-c", config, "-s", self._socket, "-P", self._router.directory / "bird.run"]

    def start(self):
        config = configuration(self._router.topology, self._router.log("bird"))
        (self._router.directory / "bird.conf").write_text(config)
        self._router.start("bird", self.argv())
        wait_until(self._socket.exists, "BIRD on the router", 10)

    def command(self, *words):
        """What `birdc` says."""
        return self._router.run(["birdc", "-s", self._socket, *words]).stdout

    def disable(self, director, family):
        self.command("disable", session(director, family))

    def enable(self, director, family):
        self.command("enable", session(director, family))
