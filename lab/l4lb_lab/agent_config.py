# SPDX-License-Identifier: Apache-2.0
"""The agent's configuration file for a director of the lab."""
import json


def text(topology, place, director, dataplane="xdp", xdp=None):
    """Pure: the TOML of one director. `xdp`: keys of [xdp] that differ from the usual ones, or come on top."""
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
            **(xdp or {}),
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
        "scheduler": "maglev", "forwarding": "ipip", "quorum": 1, **service.settings,
    }
    tables = [("[[services]]", settings), ("[services.health-check]", service.health_check)]
    for real, address in zip(service.reals, topology.real_addresses(service)):
        tables.append(("[[services.reals]]", {"address": address, "weight": service.weight}))
        if real in service.server_ids:
            tables[-1][1]["server-id"] = service.server_ids[real]
    return tables


def _table(heading, settings):
    return heading + "\n" + "".join(f"{key} = {_value(value)}\n" for key, value in settings.items())


def _value(value):
    """JSON's strings, numbers and lists are TOML's too."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(inner)}" for key, inner in value.items()) + " }"
    return json.dumps(value, default=str)
