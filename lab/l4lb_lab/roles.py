# SPDX-License-Identifier: Apache-2.0
"""What a role's script (lab/roles) is told by its environment."""
from . import dataplanes, place


def script(host):
    return place.ROLES / f"{host.role}.sh"


def environment(topology, host, veth=True, where=None, dataplane=dataplanes.USUAL):
    """
    Pure: variables for lab/roles/ROLE.sh. `veth`: the links are veth pairs, which need care where XDP is used. `where`: the
    Place that holds what programs of this machine's usually keep in /var/lib and /sys/fs/bpf. `dataplane`: of the directors.
    """
    interfaces = topology.interfaces(host.name)
    variables = {
        "INTERFACES": "\n".join(f"{i.name} {i.mtu} {i.address4} {i.address6}" for i in interfaces),
        "GATEWAY4": "",
        "GATEWAY6": "",
    }
    if host.role != "router":
        gateway = topology.link(host.name).router
        variables |= {"GATEWAY4": gateway.address(4), "GATEWAY6": gateway.address(6)}
    variables |= _OF_ROLE.get(host.role, _nothing)(topology, interfaces, veth and dataplane == dataplanes.Xdp.name)
    if host.role == "real":
        variables |= {"TUNNELS": dataplanes.OF[dataplane].tunnels, **_kept(where, host.name)}
    return variables


def _router(topology, _interfaces, xdp_on_veth):
    peers = [topology.link(director.name).router.name for director in topology.role("director")]
    return {"XDP_PEERS": " ".join(peers) if xdp_on_veth else "", "PASS_OBJECT": str(place.PASS_OBJECT)}


def _director(_topology, interfaces, xdp_on_veth):
    return {"XDP_INTERFACES": " ".join(i.name for i in interfaces) if xdp_on_veth else ""}


def _real(topology, interfaces, _xdp_on_veth):
    return {
        "VIPS": ",".join(topology.vips()),
        "DIRECTOR_SOURCES": ",".join(map(str, topology.networks("director"))),
        "TUNNEL_INTERFACE": interfaces[0].name,
        "L4LB": str(place.PROGRAM),
        "DECAPSULATE_OBJECT": str(place.DECAPSULATE_OBJECT),
    }


def _kept(where, real):
    """The defaults of `l4lb real`, where nothing else is needed."""
    state, pins = (where.real_state(real), where.real_pins(real)) if where else _DEFAULTS
    return {"REAL_STATE": str(state), "REAL_PINS": str(pins)}


def _nothing(_topology, _interfaces, _xdp_on_veth):
    return {}


_DEFAULTS = ("/var/lib/l4lb/real.json", "/sys/fs/bpf/l4lb-real")
_OF_ROLE = {"router": _router, "director": _director, "real": _real}
