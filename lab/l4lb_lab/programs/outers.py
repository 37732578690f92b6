#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Watches on a real whence tunnel packets come: on every line of standard input it prints [[outer source, packets], ...].

A packet socket sees them before they are decapsulated. Ends with its standard input.
"""
import ipaddress
import json
import select
import socket
import sys

ETH_P_ALL, ETH_P_IP, ETH_P_IPV6 = 0x0003, 0x0800, 0x86DD
TUNNELS = (4, 41)  # IP in IP, of either family
GUE_PORT = 6080


def outer_source(protocol, packet):
    """Of a tunnel packet; None for any other."""
    if protocol == ETH_P_IP and len(packet) >= 24:
        source, inner, header = packet[12:16], packet[9], (packet[0] & 15) * 4
    elif protocol == ETH_P_IPV6 and len(packet) >= 44:
        source, inner, header = packet[8:24], packet[6], 40
    else:
        return None
    gue = inner == socket.IPPROTO_UDP and packet[header + 2 : header + 4] == GUE_PORT.to_bytes(2, "big")
    return str(ipaddress.ip_address(source)) if gue or inner in TUNNELS else None


def main():
    seen = {}
    packets = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(ETH_P_ALL))
    packets.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
    print("watching", flush=True)
    while True:
        readable, _, _ = select.select([packets, sys.stdin], [], [])
        if packets in readable:
            data, (_, protocol, kind, _, _) = packets.recvfrom(128)
            source = outer_source(protocol, data) if kind == socket.PACKET_HOST else None
            if source:
                seen[source] = seen.get(source, 0) + 1
        elif sys.stdin in readable:
            if not sys.stdin.readline():
                return
            print(json.dumps(sorted(seen.items())), flush=True)


if __name__ == "__main__":
    main()
