# SPDX-License-Identifier: Apache-2.0
"""The agent's configuration file for a director of the lab."""
import json


def text(topology, place, director, dataplane="xdp"):
    """Pure: the TOML of one director. JSON's strings and lists are TOML's too."""
    state = place.host(director.name)
    link = topology.link(director.name)
    tables = [
        ("[agent]", {
            "dataplane": dataplane,
            "control-socket": place.socket(director.name),
            "state-dir": state / "state",
            "services-dir": place.services(director.name),
            "hash-seed-file": place.seed,
        }),
        ("[xdp]", {
            "interfaces": [link.host.name],
            "mode": "native",
            "next-hop": "gateway",
            "pin-dir": place.bpf(director.name) / "l4lb",
            "mtu": link.host.mtu,
            "flow-table-size": 65536,
        }),
        ("[bgp]", {"local-as": director.asn, "router-id": director.router_id, "hold-time": "9s"}),
    ]
    for family in (4, 6):
        neighbor = {"address": link.router.address(family), "peer-as": topology.router.asn}
        tables.append(("[[bgp.neighbors]]", neighbor))
    for service in topology.services:
        tables += _service(topology, service)
    return "\n".join(_table(*table) for table in tables)


def _service(topology, service):
    settings = {
        "name": service.name, "vips": list(service.vips), "protocol": service.protocol, "port": service.port,
        "scheduler": "maglev", "forwarding": "ipip", "quorum": 1,
    }
    tables = [("[[services]]", settings), ("[services.health-check]", service.health_check)]
    reals = [{"address": topology.address(real, 4), "weight": service.weight} for real in service.reals]
    return tables + [("[[services.reals]]", real) for real in reals]


def _table(heading, settings):
    return heading + "\n" + "".join(f"{key} = {json.dumps(value, default=str)}\n" for key, value in settings.items())
