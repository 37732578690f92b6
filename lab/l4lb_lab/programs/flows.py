#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Watches which way the router sends a client's TCP packets for the VIPs: flows.py PORT CLIENT,CLIENT VIP...

A packet socket sees each packet as it leaves an interface, whatever XDP does with it afterwards. On every line of standard
input it prints [[vip, client_port, [[interface, packets], ...]], ...]: for each flow the interfaces that it took, one after
the other. Ends with its standard input.
"""
import ipaddress
import json
import select
import socket
import struct
import sys

ETH_P_ALL, ETH_P_IP, ETH_P_IPV6 = 0x0003, 0x0800, 0x86DD
IPPROTO_TCP = 6
MOST_FLOWS = 200_000


def flow_of(protocol, packet, clients, vips, port):
    """(VIP, client's port) of a client's TCP packet to `port` of a VIP; None for any other."""
    if protocol == ETH_P_IP and len(packet) >= 20 and packet[9] == IPPROTO_TCP:
        source, destination, header = packet[12:16], packet[16:20], (packet[0] & 15) * 4
    elif protocol == ETH_P_IPV6 and len(packet) >= 40 and packet[6] == IPPROTO_TCP:
        source, destination, header = packet[8:24], packet[24:40], 40
    else:
        return None
    if source not in clients or destination not in vips or len(packet) < header + 4:
        return None
    source_port, destination_port = struct.unpack_from("!HH", packet, header)
    return (vips[destination], source_port) if destination_port == port else None


def note(flows, flow, interface):
    ways = flows.setdefault(flow, []) if len(flows) < MOST_FLOWS else flows.get(flow, [])
    if not ways or ways[-1][0] != interface:
        ways.append([interface, 0])
    ways[-1][1] += 1


def main(port, clients, addresses):
    vips = {ipaddress.ip_address(a).packed: a for a in addresses}
    flows = {}
    packets = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(ETH_P_ALL))
    packets.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
    print("watching", flush=True)
    while True:
        readable, _, _ = select.select([packets, sys.stdin], [], [])
        if packets in readable:
            data, (interface, protocol, kind, _, _) = packets.recvfrom(128)
            if kind == socket.PACKET_OUTGOING:
                flow = flow_of(protocol, data, clients, vips, port)
                if flow is not None:
                    note(flows, flow, interface)
        elif sys.stdin in readable:
            if not sys.stdin.readline():
                return
            print(json.dumps([[*flow, ways] for flow, ways in flows.items()]), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), {ipaddress.ip_address(a).packed for a in sys.argv[2].split(",")}, sys.argv[3:])
