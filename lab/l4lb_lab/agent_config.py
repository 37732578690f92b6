# SPDX-License-Identifier: Apache-2.0
"""The agent's configuration file for a director of the lab."""
import json

from . import dataplanes
from .slowness import pace, paced


def text(topology, place, director, dataplane=dataplanes.USUAL, xdp=None):
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
        _OF_DATAPLANE[dataplane](link.host, place.bpf(director.name), xdp or {}),
        ("[bgp]", {"local-as": director.asn, "router-id": director.router_id, "hold-time": f"{round(pace(9))}s"}),
    ]
    for family in (4, 6):
        neighbor = {"address": link.router.address(family), "peer-as": topology.router.asn}
        tables.append(("[[bgp.neighbors]]", neighbor))
    for service in topology.services:
        tables += _service(topology, service)
    return "\n".join(_table(*table) for table in tables)


def _xdp(interface, pins, others):
    return ("[xdp]", {
        "interfaces": [interface.name],
        "mode": "native",
        "next-hop": "gateway",
        "pin-dir": pins / "l4lb",
        "mtu": interface.mtu,
        "flow-table-size": 65536,
        **others,
    })


def _ipvs(interface, pins, _others):
    return ("[ipvs]", {"interfaces": [interface.name], "pin-dir": pins / "l4lb-ipvs"})


_OF_DATAPLANE = {dataplanes.Xdp.name: _xdp, dataplanes.Ipvs.name: _ipvs}


def _service(topology, service):
    settings = {
        "name": service.name, "vips": list(service.vips), "protocol": service.protocol, "port": service.port,
        "scheduler": "maglev", "forwarding": "ipip", "quorum": 1, **service.settings,
    }
    tables = [("[[services]]", settings), ("[services.health-check]", _health_check(service))]
    for real, address in zip(service.reals, topology.real_addresses(service)):
        tables.append(("[[services.reals]]", {"address": address, "weight": service.weight}))
        if real in service.server_ids:
            tables[-1][1]["server-id"] = service.server_ids[real]
    return tables


def _health_check(service):
    """On a slow machine less often, and with more patience."""
    check = service.health_check
    return {**check, **{key: paced(check[key]) for key in ("interval", "timeout")}}


def _table(heading, settings):
    return heading + "\n" + "".join(f"{key} = {_value(value)}\n" for key, value in settings.items())


def _value(value):
    """JSON's strings, numbers and lists are TOML's too."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(inner)}" for key, inner in value.items()) + " }"
    return json.dumps(value, default=str)
