# SPDX-License-Identifier: Apache-2.0
"""The lab as a whole: up, down, what runs in it."""
import ipaddress
import json
import secrets
import sys
from concurrent.futures import ThreadPoolExecutor

from . import agent_config, dataplanes, namespaces, place, routes, topology
from .bird import Bird
from .command import TimeUp, wait_until
from .director import Director
from .host import Host
from .slowness import slow

HTTP_SERVER = "server"  # names of the daemons on the reals
DATAGRAM_SERVER = "datagrams"


class Lab:
    def __init__(self, where=None, data=None, dataplane=None):
        self.place = where or place.from_environment()
        self.topology = data or topology.load(_made_from(self.place))
        self.dataplane = dataplane or _dataplane_of(self.place)
        self.hosts = {host.name: Host(self.place, self.topology, host, self.dataplane) for host in self.topology.hosts}
        self.client = self._of_role("client")[0]
        self.router = self._of_role("router")[0]
        self.reals = self._of_role("real")
        self.directors = [Director(host) for host in self._of_role("director")]
        self.bird = Bird(self.router)
        self.service = self.topology.services[0]

    def _of_role(self, role):
        return [self.hosts[host.name] for host in self.topology.role(role)]

    def host(self, name):
        if name not in self.hosts:
            raise place.UsageError(f"no host {name}; there are {', '.join(self.hosts)}")
        return self.hosts[name]

    def director(self, name):
        host = self.host(name)
        if host.data.role != "director":
            raise place.UsageError(
                f"{name} is a {host.data.role}, not a director; directors are {', '.join(d.name for d in self.directors)}"
            )
        return next(director for director in self.directors if director.name == name)

    def must_be_up(self):
        if not self.is_up():
            raise place.LabError(f"lab {self.place.name} is down: lab/lab up makes it")

    # Up and down.

    def is_up(self):
        """Also true for what is left of a lab."""
        return self.place.root.exists() or any(namespaces.exists(self.place.namespace(h)) for h in self.hosts)

    def up(self, agents=True):
        if self.is_up():
            raise place.LabError(f"lab {self.place.name} is up, or something is left of it: lab/lab down removes it")
        try:
            namespaces.make_state(self.place, self.topology, self.dataplane)
            namespaces.make(self.place, self.topology)
            with ThreadPoolExecutor(len(self.hosts)) as pool:  # a real's takes a JVM
                list(pool.map(Host.apply_role, self.hosts.values()))
            self.bird.start()
            for real in self.reals:
                self.start_server(real)
            self._write_agent_configs()
            if agents:
                self.start_agents()
        except BaseException:
            self.down()
            raise

    def down(self):
        namespaces.remove(self.place, self.topology)

    def start_server(self, real):
        """The HTTP server; and what answers datagrams, if a service is for them."""
        real.start(HTTP_SERVER, [sys.executable, place.PROGRAMS / "server.py", real.name, *self.topology.ports()])
        services = [service for service in self.topology.services if service.protocol != "tcp"]
        if services:
            told = json.dumps(self._datagrams(real, services))
            real.start(DATAGRAM_SERVER, [sys.executable, place.PROGRAMS / "datagrams.py", told])

    @staticmethod
    def _datagrams(real, services):
        ends = [(vip, port) for service in services for vip in service.vips for port in service.open]
        raw = [vip for service in services if service.protocol == "any" for vip in service.vips]
        identities = [service.server_ids[real.name] for service in services if service.server_ids]
        return {"name": real.name, "udp": ends, "raw": raw, "server-id": "".join(identities)}

    def _write_agent_configs(self):
        self.place.seed.touch(mode=0o600)
        self.place.seed.write_text(secrets.token_hex(16) + "\n")
        for director in self.directors:
            (director.host.directory / "state").mkdir()
            self.place.services(director.name).mkdir()
            self.configure(director)

    def configure(self, director, xdp=None):
        """Writes the configuration of its agent, which reads it when it is started."""
        text = agent_config.text(self.topology, self.place, director.host.data, self.dataplane, xdp)
        director.config.write_text(text)

    def start_agents(self):
        for director in self.directors:
            director.start()
            if slow():  # all JVMs at once, and the speakers that they start, would get nowhere in time
                wait_until(lambda d=director: _speaks(d), f"the BGP speaker of {director.name}", 60, 0.5)

    # What it is like.

    def next_hops(self, family):
        return routes.next_hops(self.router, self.service.vip(family))

    def director_addresses(self, family):
        return sorted(self.topology.address(director.name, family) for director in self.directors)

    def announced_by_all(self):
        return all(self.next_hops(family) == self.director_addresses(family) for family in (4, 6))

    def wait_ready(self, seconds=90):
        """Until every director's every real is up and the router uses every director."""
        try:
            wait_until(lambda: not self.lacks(), "the lab to be ready", seconds, 0.3)
        except TimeUp as e:
            raise TimeUp(f"{e}: {self.lacks()}") from e

    def lacks(self):
        """What keeps the lab from being ready; empty: nothing. Raises when waiting is of no use."""
        for director in self.directors:
            if not director.host.pid("agent"):
                raise place.LabError(f"{director.name}: no agent runs; see {director.host.log('agent')}")
            try:
                reals = [(s.name, real) for s in self.topology.services for real in director.service(s.name)["reals"]]
            except place.LabError as e:
                return str(e)
            for service, real in reals:
                if real["health"] != "up":
                    return f"{director.name}: {real['address']} of {service} is {real['health']} ({real['reason']})"
            for service in self.topology.services:
                for address, share in director.shares(service.name).items():
                    if not share:
                        return f"{director.name}: {address} of {service.name} gets no new flows"
        for vip in self.topology.vips():
            hops = routes.next_hops(self.router, vip)
            if hops != self.director_addresses(ipaddress.ip_address(vip).version):
                return f"{vip} leads to {', '.join(hops) or 'nowhere'}"
        return ""

    def last_words(self, lines=15):
        """The ends of the agents' logs, for whoever must find out what went wrong."""
        text = ""
        for director in self.directors:
            for log in sorted([director.host.log("agent"), *director.host.directory.glob("state/bgp/*.log")]):
                if log.exists():
                    tail = log.read_text(errors="replace").splitlines()[-lines:]
                    text += f"--- {log}\n" + "\n".join(tail) + "\n"
        return text


def _speaks(director):
    """Whether its speaker has a session."""
    status = director.answers()
    return status and any(neighbor["state"] == "up" for neighbor in status["bgp"]["neighbors"])


def _made_from(where):
    """The name of its topology; the usual one for a lab that is not there yet."""
    return where.topology.read_text() if where.topology.exists() else topology.USUAL


def _dataplane_of(where):
    """Likewise."""
    return where.dataplane.read_text() if where.dataplane.exists() else dataplanes.USUAL
